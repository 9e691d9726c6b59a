extension OracleWorld {
    typealias Reply = OracleProgram.Reply

    /// Plays a program and returns what is seen of it.
    static func findings(of program: OracleProgram, order: UInt64) -> OracleFindings {
        let world = OracleWorld(order: order)
        for action in program.actions {
            world.perform(action)
            world.work()
        }
        for (id, member) in world.members where member.hasEnded || member.isCancelled {
            world.findings.outcomes[id] = member.outcome
        }
        return world.findings
    }

    private func perform(_ action: OracleProgram.Action) {
        switch action {
        case .make(let id, let operation): members[id] = make(id, operation)
        case .fulfill(let id): settle(self[id], .value(100 + id))
        case .reject(let id): settle(self[id], .error("source \(id)"))
        case .abandon(let id): settle(self[id], .abandoned)
        case .cancel(let id): cancel(self[id])
        case .run: runJobs()
        case .discard: discardJobs()
        }
    }

    private subscript(id: Int) -> Member { members[id] ?? Member() }

    private func note(_ id: Int, attempt: Int = 0, _ input: Outcome? = nil) {
        findings.calls[.init(id: id, attempt: attempt, input: input), default: 0] += 1
    }

    /// A promise that waits for `parent` and then does `turn` with its outcome.
    private func link(
        to parent: Member, _ place: OracleProgram.Place = .immediate,
        _ turn: @escaping (Member, Outcome) -> Void
    ) -> Member {
        let member = Member(place)
        member.turn = { [unowned member] in turn(member, member.input) }
        wait(member, for: parent)
        return member
    }

    private func follow(_ reply: Reply, of id: Int, _ member: Member) {
        switch reply {
        case .value: end(member, .value(id))
        case .failure: end(member, .error("handler \(id)"))
        case .promise(let inner): adopt(self[inner], by: member)
        }
    }

    private func make(_ id: Int, _ operation: OracleProgram.Operation) -> Member {
        switch operation {
        case .source:
            let member = Member()
            member.stop = { [unowned self] in findings.stopped[id, default: 0] += 1 }
            return member
        case .then(let parent, let place, let reply):
            return link(to: self[parent], place) { [unowned self] member, input in
                guard case .value = input else { return end(member, input) }
                note(id, input)
                follow(reply, of: id, member)
            }
        case .recover(let parent, let place, let everything, let reply):
            return link(to: self[parent], place) { [unowned self] member, input in
                guard admits(input, everything), !member.isDiscarded else {
                    return end(member, input)
                }
                note(id, input)
                follow(input == .cancelled ? .value : reply, of: id, member)
            }
        case .catch(let parent, let place, let everything, let fails):
            return link(to: self[parent], place) { [unowned self] member, input in
                guard admits(input, everything), !member.isDiscarded else {
                    return end(member, input)
                }
                note(id, input)
                end(member, fails ? .error("handler \(id)") : input)
            }
        case .finally(let parent, let place, let reply):
            return link(to: self[parent], place) { [unowned self] member, input in
                cleanUp(id, member, input, reply)
            }
        case .tap(let parent, let place):
            return link(to: self[parent], place) { [unowned self] member, input in
                if !member.isDiscarded { note(id, input) }
                end(member, input)
            }
        case .validate(let parent, let place, let passes):
            return link(to: self[parent], place) { [unowned self] member, input in
                guard case .value = input else { return end(member, input) }
                note(id, input)
                end(member, passes ? input : .error("invalid"))
            }
        case .gather(let gather, let ids): return make(gather, ids.map { self[$0] })
        case .shielded(let parent):
            let member = link(to: self[parent]) { [unowned self] in end($0, $1) }
            member.isShielded = true
            return member
        case .retry(let place, let replies):
            let member = Member()
            attempt(1, of: replies, id, member, place)
            return member
        }
    }

    private func admits(_ input: Outcome, _ everything: Bool) -> Bool {
        input.error != nil && (everything || input != .cancelled)
    }

    private func cleanUp(_ id: Int, _ member: Member, _ input: Outcome, _ reply: Reply) {
        guard !member.isDiscarded else { return end(member, input) }
        note(id)
        switch reply {
        case .value: end(member, input)
        case .failure: end(member, .error("handler \(id)"))
        case .promise(let inner):
            member.cleansUp = true
            let inner = self[inner]
            member.turn = { [unowned self, unowned member] in
                if member.isDiscarded { return end(member, .abandoned) }
                end(member, inner.outcome?.error.map { .error($0) } ?? input)
            }
            wait(member, for: inner)
        }
    }

    private func attempt(
        _ number: Int, of replies: [Reply], _ id: Int, _ retrying: Member,
        _ place: OracleProgram.Place
    ) {
        let start = Member()
        end(start, .value(0))
        let work = link(to: start, place) { [unowned self] member, input in
            guard case .value = input else { return end(member, input) }
            note(id, attempt: number)
            follow(replies[number - 1], of: id, member)
        }
        retrying.stop = { [unowned self] in cancel(work) }
        _ = link(to: work) { [unowned self] member, input in
            end(member, .value(0))
            guard input.error != nil, input != .cancelled, number < replies.count else {
                return settle(retrying, input)
            }
            beginAnew()
            attempt(number + 1, of: replies, id, retrying, place)
        }
    }

    private func make(_ gather: OracleProgram.Gather, _ members: [Member]) -> Member {
        let gathering = Member()
        var outcomes: [Outcome?] = members.map { _ in nil }
        var branches: [Member] = []
        let finish = { [unowned self] (outcome: Outcome) in
            settle(gathering, outcome)
            for branch in branches { leave(branch) }
        }
        if members.isEmpty { finish(gather.outcome(of: []) ?? .error("no promises")) }
        for (index, member) in members.enumerated() {
            let branch = link(to: member) { [unowned self] branch, input in
                end(branch, .value(0))
                outcomes[index] = input
                guard gathering.isPending else { return }
                if gather.isDecided(by: input) {
                    finish(input)
                } else if outcomes.allSatisfy({ $0 != nil }),
                    let outcome = gather.outcome(of: outcomes.compactMap(\.self))
                {
                    finish(outcome)
                }
            }
            branches.append(branch)
        }
        gathering.stop = { [unowned self] in
            for branch in shuffled(branches) { cancel(branch) }
        }
        return gathering
    }
}

extension OracleProgram.Gather {
    /// Whether one outcome settles it.
    fileprivate func isDecided(by outcome: OracleFindings.Outcome) -> Bool {
        switch self {
        case .race: true
        case .all: outcome.error != nil
        case .any: outcome.error == nil
        case .allSettled: false
        }
    }

    /// What it settles as when no outcome has settled it alone; `nil` if it needs one.
    fileprivate func outcome(of outcomes: [OracleFindings.Outcome]) -> OracleFindings.Outcome? {
        let errors = outcomes.compactMap(\.error)
        let values = outcomes.compactMap { if case .value(let value) = $0 { value } else { nil } }
        switch self {
        case .all: return .value(values.reduce(0, +))
        case .allSettled: return .value(values.reduce(0, +) + 10_000 * errors.count)
        case .any: return errors.isEmpty ? nil : .error("none: \(errors)")
        case .race: return nil
        }
    }
}
