/// A random program over promises: some are made, settled, abandoned and cancelled, the jobs of a
/// manual scheduler are run or thrown away, and a manual clock is moved.
///
/// What its threads do comes after the actions, at the same time, and is followed by actions that
/// leave nothing pending. Promises refer to earlier ones only, so that there are no cycles.
struct OracleProgram: Sendable, CustomStringConvertible {
    enum Place: String, CaseIterable, Sendable {
        case immediate, manual, standard
    }

    /// What a handler does.
    enum Reply: Sendable {
        case value
        case failure
        case promise(Int)
    }

    enum Gather: String, CaseIterable, Sendable {
        case all, race, any, allSettled
    }

    enum Operation: Sendable {
        case source
        case then(Int, Place, Reply)
        case recover(Int, Place, everything: Bool, Reply)
        case `catch`(Int, Place, everything: Bool, fails: Bool)
        case finally(Int, Place, Reply)
        case tap(Int, Place)
        case validate(Int, Place, passes: Bool)
        case gather(Gather, [Int])
        case shielded(Int)
        case branch(Int)
        case retry(Place, [Reply], pause: Int)
        case timeout(Int, after: Int)
        case delay(Int, by: Int)
        case limited(Place, limit: Int, [Reply])
        case reduce(Place, [Reply])
        case asVoid(Int)
        case mapElements(Int, Place, passes: Bool)
        case firstly(Reply)
        /// A task that awaits a promise, as a promise.
        case task(Int)
    }

    enum Action: Sendable {
        case make(Int, Operation)
        case fulfill(Int)
        case reject(Int)
        case abandon(Int)
        case cancel(Int)
        case run
        case discard
        case advance(Int)
    }

    let seed: UInt64
    var actions: [Action] = []
    var threads: [[Action]] = []

    var description: String {
        let parts = [actions] + threads
        return "seed \(seed):\n"
            + parts.enumerated().map { index, actions in
                (index == 0 ? "" : "  thread \(index):\n")
                    + actions.map { "  \($0)" }.joined(separator: "\n")
            }.joined(separator: "\n")
    }

    /// Whether a handler runs on a scheduler with a thread of its own.
    var usesStandard: Bool { actions.contains { $0.operation?.place == .standard } }

    /// What settles everything after the threads.
    var ending: [Action] {
        guard !threads.isEmpty else { return [] }
        let sources = (actions + threads.joined()).compactMap { action in
            if case .make(let id, .source) = action { id } else { nil as Int? }
        }
        return sources.map { .fulfill($0) }
            + (0..<6).flatMap { _ in [.run, .advance(10)] as [Action] }
    }

    /// Programs without one of the actions.
    var smaller: [OracleProgram] {
        let parts = [actions] + threads
        let needed = Set(parts.joined().flatMap(\.references))
        return parts.indices.flatMap { part in
            parts[part].indices.reversed().compactMap { index in
                if case .make(let id, _) = parts[part][index], needed.contains(id) { return nil }
                var copy = self
                if part == 0 {
                    copy.actions.remove(at: index)
                } else {
                    copy.threads[part - 1].remove(at: index)
                }
                return copy
            }
        }
    }
}

extension OracleProgram.Action {
    var operation: OracleProgram.Operation? {
        if case .make(_, let operation) = self { operation } else { nil }
    }

    /// The promises that the action names, but the one that it makes.
    var references: [Int] {
        switch self {
        case .make(_, let operation): operation.references
        case .fulfill(let id), .reject(let id), .abandon(let id), .cancel(let id): [id]
        case .run, .discard, .advance: []
        }
    }
}

extension OracleProgram.Operation {
    var place: OracleProgram.Place? {
        switch self {
        case .source, .gather, .shielded, .branch, .timeout, .delay, .asVoid, .firstly, .task:
            nil
        case .then(_, let place, _), .recover(_, let place, _, _), .catch(_, let place, _, _),
            .finally(_, let place, _), .tap(_, let place), .validate(_, let place, _),
            .retry(let place, _, _), .limited(let place, _, _), .reduce(let place, _),
            .mapElements(_, let place, _):
            place
        }
    }

    var references: [Int] {
        switch self {
        case .source: []
        case .then(let parent, _, let reply), .recover(let parent, _, _, let reply),
            .finally(let parent, _, let reply):
            [parent] + reply.references
        case .catch(let parent, _, _, _), .tap(let parent, _), .validate(let parent, _, _),
            .shielded(let parent), .branch(let parent), .timeout(let parent, _),
            .delay(let parent, _),
            .asVoid(let parent), .mapElements(let parent, _, _), .task(let parent):
            [parent]
        case .gather(_, let members): members
        case .retry(_, let replies, _), .limited(_, _, let replies), .reduce(_, let replies):
            replies.flatMap(\.references)
        case .firstly(let reply): reply.references
        }
    }
}

extension OracleProgram.Reply {
    var references: [Int] {
        if case .promise(let id) = self { [id] } else { [] }
    }
}
