/// A random program over promises: some are made, settled, abandoned and cancelled, and the jobs of a
/// manual scheduler are run or thrown away.
///
/// Promises refer to earlier ones only, so that there are no cycles.
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
        case retry(Place, [Reply])
    }

    enum Action: Sendable {
        case make(Int, Operation)
        case fulfill(Int)
        case reject(Int)
        case abandon(Int)
        case cancel(Int)
        case run
        case discard
    }

    let seed: UInt64
    var actions: [Action]

    var description: String {
        "seed \(seed):\n" + actions.map { "  \($0)" }.joined(separator: "\n")
    }

    /// Whether a handler runs on the default scheduler.
    var usesStandard: Bool { actions.contains { $0.operation?.place == .standard } }

    /// Programs without one of the actions.
    var smaller: [OracleProgram] {
        let needed = Set(actions.flatMap(\.references))
        return actions.indices.reversed().compactMap { index in
            if case .make(let id, _) = actions[index], needed.contains(id) { return nil }
            var copy = self
            copy.actions.remove(at: index)
            return copy
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
        case .run, .discard: []
        }
    }
}

extension OracleProgram.Operation {
    var place: OracleProgram.Place? {
        switch self {
        case .source, .gather, .shielded: nil
        case .then(_, let place, _), .recover(_, let place, _, _), .catch(_, let place, _, _),
            .finally(_, let place, _), .tap(_, let place), .validate(_, let place, _),
            .retry(let place, _):
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
            .shielded(let parent):
            [parent]
        case .gather(_, let members): members
        case .retry(_, let replies): replies.flatMap(\.references)
        }
    }
}

extension OracleProgram.Reply {
    var references: [Int] {
        if case .promise(let id) = self { [id] } else { [] }
    }
}

extension OracleProgram {
    init(seed: UInt64, places: [Place]) {
        var random = SplitMix(state: seed)
        var sources = [0]
        var count = 1
        actions = [.make(0, .source)]
        for _ in 0..<Int.random(in: 3...14, using: &random) {
            let source = sources.randomElement(using: &random) ?? 0
            let any = Int.random(in: 0..<count, using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0: actions.append(.fulfill(source))
            case 1: actions.append(.reject(source))
            case 2: actions.append(Bool.random(using: &random) ? .abandon(source) : .cancel(source))
            case 3, 4: actions.append(.cancel(any))
            case 5: actions.append(.run)
            case 6: actions.append(Bool.random(using: &random) ? .run : .discard)
            case 7, 8:
                actions.append(.make(count, .source))
                sources.append(count)
                count += 1
            default:
                let operation = Operation.random(below: count, places: places, using: &random)
                actions.append(.make(count, operation))
                count += 1
            }
        }
        self.seed = seed
    }
}

extension OracleProgram.Operation {
    fileprivate static func random(
        below count: Int, places: [OracleProgram.Place], using random: inout SplitMix
    ) -> Self {
        // Late promises more often than others, so that chains get long.
        let parent = max(
            Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
        let place = places.randomElement(using: &random) ?? .immediate
        func reply() -> OracleProgram.Reply {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: .failure
            case 1, 2: .value
            default: .promise(Int.random(in: 0..<count, using: &random))
            }
        }
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2: return .then(parent, place, reply())
        case 3, 4: return .recover(parent, place, everything: .random(using: &random), reply())
        case 5:
            return .catch(
                parent, place, everything: .random(using: &random), fails: .random(using: &random))
        case 6, 7: return .finally(parent, place, reply())
        case 8: return .tap(parent, place)
        case 9: return .validate(parent, place, passes: .random(using: &random))
        case 10, 11:
            let members = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Int.random(in: 0..<count, using: &random)
            }
            return .gather(
                OracleProgram.Gather.allCases.randomElement(using: &random) ?? .all, members)
        case 12: return .shielded(parent)
        default:
            return .retry(place, (0..<Int.random(in: 1...3, using: &random)).map { _ in reply() })
        }
    }
}
