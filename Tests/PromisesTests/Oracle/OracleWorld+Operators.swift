extension OracleWorld {
    typealias Reply = OracleProgram.Reply

    /// Plays a program and returns what is seen of it.
    static func findings(of program: OracleProgram, order: UInt64) -> OracleFindings {
        let world = OracleWorld(order: order)
        for action in program.actions {
            world.perform(action)
            world.finishAction()
        }
        world.race(program.threads, world.perform)
        for action in program.ending {
            world.perform(action)
            world.finishAction()
        }
        for (id, member) in world.members where member.hasEnded || member.isCancelled {
            world.findings.outcomes[id] = member.outcome
        }
        return world.findings
    }

    private func perform(_ action: OracleProgram.Action) {
        switch action {
        case .make(let id, let operation): members[id] = make(id, operation)
        case .fulfill(let id): resolve(id, .value(100 + id))
        case .reject(let id): resolve(id, .error("source \(id)"))
        case .abandon(let id):
            guard abandoned.insert(id).inserted, usersOfResolvers[id, default: 0] == 0 else {
                return
            }
            next { [unowned self] in settle(self[id], .abandoned) }
        case .cancel(let id): cancel(self[id])
        case .run: runJobs()
        case .discard: discardJobs()
        case .advance(let time): advance(by: time)
        }
    }

    /// Settles a source, if its resolver is there.
    private func resolve(_ id: Int, _ outcome: Outcome) {
        if abandoned.contains(id) { return }
        usersOfResolvers[id, default: 0] += 1
        next { [unowned self] in
            usersOfResolvers[id, default: 0] -= 1
            settle(self[id], outcome)
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
        member.turn = { [unowned self, unowned member] in
            let (member, input) = (member, member.input)
            next { turn(member, input) }
        }
        wait(member, for: parent)
        return member
    }

    private func follow(_ reply: Reply, of id: Int, _ member: Member) {
        next { [unowned self] in
            switch reply {
            case .value: end(member, .value(id))
            case .failure: end(member, .error("handler \(id)"))
            case .promise(let inner): adopt(self[inner], by: member)
            }
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
                next { [unowned self] in end(member, fails ? .error("handler \(id)") : input) }
            }
        case .finally(let parent, let place, let reply):
            return link(to: self[parent], place) { [unowned self] member, input in
                cleanUp(id, member, input, reply)
            }
        case .tap(let parent, let place):
            return link(to: self[parent], place) { [unowned self] member, input in
                if !member.isDiscarded { note(id, input) }
                next { [unowned self] in end(member, input) }
            }
        case .validate(let parent, let place, let passes):
            return link(to: self[parent], place) { [unowned self] member, input in
                guard case .value = input else { return end(member, input) }
                note(id, input)
                next { [unowned self] in end(member, passes ? input : .error("invalid")) }
            }
        case .gather(let gather, let ids): return make(gather, ids.map { self[$0] })
        case .branch(let parent):
            return link(to: self[parent]) { [unowned self] in end($0, $1) }
        case .shielded(let parent):
            let member = link(to: self[parent]) { [unowned self] in end($0, $1) }
            member.isShielded = true
            return member
        case .retry(let place, let replies, let pause):
            let member = Member()
            attempt(1, of: replies, id, member, place, pause: pause)
            return member
        case .timeout(let parent, let time): return timeout(of: self[parent], after: time)
        case .delay(let parent, let time):
            return link(to: self[parent]) { [unowned self] member, input in
                guard case .value = input else { return end(member, input) }
                adopt(pause(time, input), by: member)
            }
        case .limited(let place, let limit, let replies):
            return limited(id, replies, limit, place)
        case .reduce(let place, let replies): return reduce(id, replies, place)
        case .asVoid(let parent):
            let void = link(to: self[parent]) { [unowned self] in end($0, $1) }
            return link(to: void) { [unowned self] member, input in
                end(member, input.error == nil ? .value(id) : input)
            }
        case .mapElements(let parent, let place, let passes):
            let lists = link(to: self[parent]) { [unowned self] in end($0, $1) }
            let mapped = link(to: lists, place) { [unowned self] member, input in
                guard case .value = input else { return end(member, input) }
                note(id, input)
                follow(passes ? .value : .failure, of: id, member)
            }
            return link(to: mapped) { [unowned self] in end($0, $1) }
        case .firstly(let reply):
            note(id, attempt: 1)
            if case .promise(let inner) = reply { return self[inner] }
            let member = Member()
            follow(reply, of: id, member)
            return member
        case .task(let parent): return task(awaiting: self[parent])
        }
    }

    /// A task that awaits a promise as one branch of it, and is cancelled with its own.
    private func task(awaiting parent: Member) -> Member {
        let member = Member()
        var branch: Member?
        var isCancelled = false
        member.stop = { [unowned self] in
            isCancelled = true
            if let branch { cancel(branch) }
        }
        inTask { [unowned self] in
            if parent.hasEnded { return settle(member, parent.outcome ?? .abandoned) }
            let work = link(to: parent) { [unowned self] in end($0, $1) }
            branch = work
            _ = link(to: work) { [unowned self] observer, input in
                end(observer, .value(0))
                inTask { [unowned self] in settle(member, input) }
            }
            if isCancelled { cancel(work) }
        }
        return member
    }

    private func reduce(_ id: Int, _ replies: [Reply], _ place: OracleProgram.Place) -> Member {
        var last = pause(0, .value(0))
        for (index, reply) in replies.enumerated() {
            last = link(to: last, place) { [unowned self] member, input in
                guard case .value = input else { return end(member, input) }
                note(id, attempt: index + 1, input)
                follow(reply, of: id, member)
            }
        }
        return last
    }

    private func admits(_ input: Outcome, _ everything: Bool) -> Bool {
        input.error != nil && (everything || input != .cancelled)
    }

    private func cleanUp(_ id: Int, _ member: Member, _ input: Outcome, _ reply: Reply) {
        guard !member.isDiscarded else { return end(member, input) }
        note(id)
        next { [unowned self] in
            switch reply {
            case .value: end(member, input)
            case .failure: end(member, .error("handler \(id)"))
            case .promise(let inner): cleanUp(member, input, after: self[inner])
            }
        }
    }

    private func cleanUp(_ member: Member, _ input: Outcome, after inner: Member) {
        member.cleansUp = true
        member.turn = { [unowned self, unowned member] in
            if member.isDiscarded { return end(member, .abandoned) }
            end(member, inner.outcome?.error.map { .error($0) } ?? input)
        }
        wait(member, for: inner)
    }

    private func attempt(
        _ number: Int, of replies: [Reply], _ id: Int, _ retrying: Member,
        _ place: OracleProgram.Place, pause time: Int
    ) {
        let isPaused = number > 1 && time > 0
        let work = link(to: pause(isPaused ? time : 0, .value(0)), place) {
            [unowned self] member, input in
            guard case .value = input else { return end(member, input) }
            note(id, attempt: number)
            follow(replies[number - 1], of: id, member)
        }
        retrying.stop = { [unowned self] in cancel(work) }
        if retrying.isCancelled { cancel(work) }
        _ = link(to: work) { [unowned self] member, input in
            end(member, .value(0))
            guard input.error != nil, input != .cancelled, number < replies.count else {
                return settle(retrying, input)
            }
            beginAnew()
            attempt(number + 1, of: replies, id, retrying, place, pause: time)
        }
    }

    /// A promise of something after a time.
    private func pause(_ time: Int, _ outcome: Outcome) -> Member {
        let member = Member()
        if time > 0 {
            member.stop = after(time) { [unowned self] in settle(member, outcome) }
        } else {
            end(member, outcome)
        }
        return member
    }

    private func timeout(of parent: Member, after time: Int) -> Member {
        let work = link(to: parent) { [unowned self] in end($0, $1) }
        let member = Member()
        var switchOff = {}
        _ = link(to: work) { [unowned self] observer, input in
            end(observer, .value(0))
            settle(member, input)
            switchOff()
        }
        switchOff = after(time) { [unowned self] in
            // Who handles that may take the work over.
            ahead { settle(member, .error("timed out")) }
            next { [unowned self] in cancel(work) }
        }
        member.stop = { [unowned self] in
            switchOff()
            cancel(work)
        }
        return member
    }

    private func limited(
        _ id: Int, _ replies: [Reply], _ limit: Int, _ place: OracleProgram.Place
    ) -> Member {
        let gathering = Member()
        var branches: [Member] = []
        var started = 0
        var values: [Int] = []
        var isPulling = false
        var isOver = false
        let finish = { [unowned self] (outcome: Outcome) in
            settle(gathering, outcome)
            if isOver { return }
            isOver = true
            for branch in branches { next { [unowned self] in leave(branch) } }
        }
        func start(_ number: Int) {
            let work = link(to: pause(0, .value(0)), place) { [unowned self] member, input in
                guard case .value = input else { return end(member, input) }
                note(id, attempt: number)
                follow(replies[number - 1], of: id, member)
            }
            let branch = link(to: work) { [unowned self] branch, input in
                end(branch, .value(0))
                guard case .value(let value) = input else { return finish(input) }
                values.append(value)
                pull()
            }
            branches.append(branch)
        }
        func pull() {
            guard !isPulling else { return }
            isPulling = true
            pullNext()
        }
        func pullNext() {
            if gathering.isPending, started < replies.count, started - values.count < limit {
                started += 1
                let number = started
                // What is immediate happens before the next one is pulled.
                if place == .immediate { ahead { start(number) } } else { start(number) }
                next { pullNext() }
            } else {
                isPulling = false
                if values.count == replies.count { finish(.value(values.reduce(0, +))) }
            }
        }
        gathering.stop = { [unowned self] in
            isOver = true
            for branch in branches { next { [unowned self] in ahead { cancel(branch) } } }
        }
        pull()
        return gathering
    }

    private func make(_ gather: OracleProgram.Gather, _ members: [Member]) -> Member {
        let gathering = Member()
        var outcomes: [Outcome?] = members.map { _ in nil }
        var branches: [Member] = []
        var isOver = false
        let finish = { [unowned self] (outcome: Outcome) in
            settle(gathering, outcome)
            if isOver { return }
            isOver = true
            for branch in branches { next { [unowned self] in leave(branch) } }
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
            isOver = true
            for branch in branches { next { [unowned self] in ahead { cancel(branch) } } }
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
