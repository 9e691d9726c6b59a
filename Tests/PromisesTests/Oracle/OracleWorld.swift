/// The rules of promises on one thread, with an order of its own for what may run at the same time.
///
/// Written from the documentation; order 0 is first come, first served.
final class OracleWorld {
    typealias Outcome = OracleFindings.Outcome

    /// A promise: what it waits for, who waits for it, and what it does when its turn comes.
    final class Member {
        let place: OracleProgram.Place
        var awaited: Member?
        var waiters: [Member] = []
        /// One that its waiters do not take along.
        var isShielded = false
        var isCancelled = false
        var isDiscarded = false
        var hasEnded = false
        /// A clean-up is waited for, which a cancellation leaves alone.
        var cleansUp = false
        var outcome: Outcome?
        var turn: () -> Void = {}
        var stop: () -> Void = {}

        init(_ place: OracleProgram.Place = .immediate) {
            self.place = place
        }

        var isPending: Bool { !hasEnded && !isCancelled }

        /// What the promise has to work on when its turn has come.
        var input: Outcome {
            if isCancelled { return .cancelled }
            return isDiscarded ? .abandoned : awaited?.outcome ?? .abandoned
        }
    }

    private struct Turn {
        let member: Member
        let isDiscarding: Bool
    }

    var members: [Int: Member] = [:]
    var findings = OracleFindings()
    private var ready: [Turn] = []
    private var jobs: [Member] = []
    /// The turns that come after what is going on, which occupies the default scheduler.
    private var later: [Turn] = []
    private var isRunningJobs = false
    private var isDiscarding = false
    private var random: SplitMix
    private let isOrdered: Bool

    init(order: UInt64) {
        random = SplitMix(state: order)
        isOrdered = order == 0
    }

    func shuffled<Element>(_ elements: [Element]) -> [Element] {
        isOrdered ? elements : elements.shuffled(using: &random)
    }

    // MARK: Turns

    func work() {
        while !ready.isEmpty {
            let index = isOrdered ? 0 : Int.random(in: 0..<ready.count, using: &random)
            let turn = ready.remove(at: index)
            isDiscarding = turn.isDiscarding
            if !turn.member.hasEnded { turn.member.turn() }
            isDiscarding = false
        }
    }

    func runJobs() {
        isRunningJobs = true
        while !jobs.isEmpty {
            ready += jobs.map { Turn(member: $0, isDiscarding: false) }
            jobs = []
            work()
        }
        isRunningJobs = false
        ready += later
        later = []
    }

    /// Begins something new, below which no job has been thrown away.
    func beginAnew() {
        isDiscarding = false
    }

    func discardJobs() {
        let thrown = jobs
        jobs = []
        for member in thrown { member.isDiscarded = true }
        ready += thrown.map { Turn(member: $0, isDiscarding: true) }
        work()
    }

    /// Gives a turn to one that has heard of an outcome now, or of an old one.
    private func hand(_ member: Member, isLate: Bool) {
        switch member.place {
        case .immediate:
            ready.append(Turn(member: member, isDiscarding: isDiscarding))
        case .standard:
            let turn = Turn(member: member, isDiscarding: false)
            if isRunningJobs { later.append(turn) } else { ready.append(turn) }
        case .manual where isDiscarding && !isLate:
            member.isDiscarded = true
            ready.append(Turn(member: member, isDiscarding: true))
        case .manual:
            jobs.append(member)
        }
    }

    // MARK: Rules

    func end(_ member: Member, _ outcome: Outcome) {
        guard !member.hasEnded else { return }
        member.hasEnded = true
        member.outcome = member.isCancelled ? .cancelled : outcome
        member.awaited = nil
        let waiting = member.waiters
        member.waiters = []
        for waiter in waiting { hand(waiter, isLate: false) }
    }

    /// Settles a source, if nothing has yet.
    func settle(_ member: Member, _ outcome: Outcome) {
        if member.isPending, member.awaited == nil { end(member, outcome) }
    }

    func wait(_ waiter: Member, for member: Member) {
        waiter.awaited = member
        if member.hasEnded { return hand(waiter, isLate: true) }
        if waiter.isCancelled, !waiter.cleansUp {
            // It leaves as it comes, as the last one if there is no other.
            if member.isPending, member.waiters.isEmpty, !member.isShielded { cancel(member) }
            return hand(waiter, isLate: true)
        }
        member.waiters.append(waiter)
    }

    func cancel(_ member: Member) {
        guard member.isPending else { return }
        member.isCancelled = true
        member.outcome = .cancelled
        if member.cleansUp { return }
        guard let awaited = member.awaited else {
            member.stop()
            return end(member, .cancelled)
        }
        guard awaited.isPending, awaited.waiters.contains(where: { $0 === member }) else { return }
        let others = awaited.waiters.contains { !$0.isCancelled || $0.cleansUp }
        if !others, !awaited.isShielded { return cancel(awaited) }
        awaited.waiters.removeAll { $0 === member }
        hand(member, isLate: true)
    }

    /// Stops waiting, and leaves what was waited for as it is.
    func leave(_ member: Member) {
        guard let awaited = member.awaited, !awaited.hasEnded else { return }
        awaited.waiters.removeAll { $0 === member }
        member.hasEnded = true
    }

    /// Settles as another one does.
    func adopt(_ inner: Member, by member: Member) {
        member.turn = { [unowned self, unowned member] in end(member, member.input) }
        if case .value? = inner.outcome, inner.hasEnded {
            end(member, inner.outcome ?? .abandoned)
        } else {
            wait(member, for: inner)
        }
    }
}
