/// The rules of promises on one thread, with an order of its own for what may run at the same time.
///
/// Written from the documentation. Every third order is first come, first served, and every third
/// depth first, where no threads are at it.
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
        /// Those that it waits for know that it is cancelled.
        var isLost = false
        var isDiscarded = false
        var isResolved = false
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

    /// Which of the turns that may be next is.
    private enum Manner: CaseIterable {
        case firstComeFirstServed
        /// Those that follow from the last one.
        case depthFirst
        case random
    }

    /// Something that is done in one go.
    private struct Turn {
        /// The thread that does it; `nil` for one of no matter which.
        var thread: Int?
        var isDiscarding = false
        var isInJob = false
        let perform: () -> Void
    }

    private struct Alarm {
        let id: Int
        let time: Int
        let ring: () -> Void
    }

    var members: [Int: Member] = [:]
    var findings = OracleFindings()
    /// The sources whose resolvers are gone.
    var abandoned: Set<Int> = []
    /// How many are about to settle a source, and keep its resolver meanwhile.
    var usersOfResolvers: [Int: Int] = [:]
    private var ready: [Turn] = []
    /// What tasks do, after the action that begins or wakes them.
    private var tasks: [() -> Void] = []
    private var jobs: [Member] = []
    /// The turns that come after what is going on, which occupies the default scheduler.
    private var later: [Turn] = []
    private var alarms: [Alarm] = []
    private var lastAlarm = 0
    private var now = 0
    /// The turn that is going on.
    private var current = Turn {}
    private var random: SplitMix
    private let manner: Manner
    /// Whether threads are at it, so that what is many steps of a thread is as many turns.
    private var isRacing = false
    /// The threads that run jobs until there are none.
    private var runners: Set<Int> = []

    init(order: UInt64) {
        random = SplitMix(state: order)
        manner = Manner.allCases[Int(order % 3)]
    }

    // MARK: Turns

    func work() {
        while !ready.isEmpty {
            take(manner == .random ? Int.random(in: 0..<ready.count, using: &random) : 0)
        }
    }

    /// Does what follows from an action: first what it does itself, then the tasks that it begins or
    /// wakes, then what the default scheduler has been given meanwhile.
    func finishAction() {
        repeat {
            work()
            while !tasks.isEmpty {
                tasks.removeFirst()()
                work()
            }
            while !later.isEmpty {
                ready += later
                later = []
                work()
            }
        } while !tasks.isEmpty
    }

    /// Has a task do something, once the action is over.
    func inTask(_ step: @escaping () -> Void) {
        if isRacing {
            ready.append(Turn(thread: anyThread, perform: step))
        } else {
            tasks.append(step)
        }
    }

    private func take(_ index: Int) {
        let turn = ready.remove(at: index)
        let others = ready.count
        current = turn
        turn.perform()
        if manner == .depthFirst, !isRacing, ready.count > others {
            ready = Array(ready[others...] + ready[..<others])
        }
        current = Turn(thread: turn.thread) {}
    }

    /// Plays threads, one turn of one of them at a time.
    ///
    /// A thread begins an action when all that followed from the one before is done.
    func race(_ threads: [[OracleProgram.Action]], _ perform: (OracleProgram.Action) -> Void) {
        var rest = threads.map { $0[...] }
        isRacing = true
        // Threads that often go on, and threads that seldom do: else what one of them does without
        // interruption would hardly ever come.
        let patience = Int.random(in: 1...20, using: &random)
        var last: Int?
        while true {
            // Tasks count as one more.
            let able = ([nil] + threads.indices.map(\.self)).filter { (thread: Int?) in
                ready.contains { $0.thread == thread }
                    || thread.map { runners.contains($0) || !rest[$0].isEmpty } ?? false
            }
            guard var choice = able.randomElement(using: &random) else { break }
            if able.contains(last), Int.random(in: 0..<patience, using: &random) > 0 {
                choice = last
            }
            last = choice
            let own = ready.indices.filter { ready[$0].thread == choice }
            if let index = own.randomElement(using: &random) {
                take(index)
            } else if let choice, runners.contains(choice) {
                runJob(of: choice)
            } else if let choice, let action = rest[choice].popFirst() {
                current = Turn(thread: choice) {}
                perform(action)
            }
        }
        isRacing = false
        current = Turn {}
    }

    /// A step that another thread may come before.
    func next(_ step: @escaping () -> Void) {
        guard isRacing else { return step() }
        ready.append(
            Turn(
                thread: current.thread, isDiscarding: current.isDiscarding,
                isInJob: current.isInJob, perform: step))
    }

    /// Does something, and what follows from it, before all that is ready.
    func ahead(_ step: () -> Void) {
        guard !isRacing else { return step() }
        let (turn, others) = (current, ready)
        ready = []
        current = Turn {}
        step()
        work()
        current = turn
        ready += others
    }

    private func turn(of member: Member, isDiscarding: Bool = false, isInJob: Bool = false) -> Turn
    {
        Turn(thread: current.thread, isDiscarding: isDiscarding, isInJob: isInJob) {
            if !member.hasEnded { member.turn() }
        }
    }

    func runJobs() {
        if isRacing, let thread = current.thread {
            runners.insert(thread)
            return
        }
        while !jobs.isEmpty {
            ready += jobs.map { turn(of: $0, isInJob: true) }
            jobs = []
            work()
        }
    }

    /// Runs one job, of one member or of several, or finds none.
    private func runJob(of thread: Int) {
        if jobs.isEmpty { runners.remove(thread) }
        current = Turn(thread: thread) {}
        let count = jobs.isEmpty ? 0 : Int.random(in: 1...jobs.count, using: &random)
        ready += jobs.prefix(count).map { turn(of: $0, isInJob: true) }
        jobs.removeFirst(count)
    }

    /// Begins something new, below which no job has been thrown away.
    func beginAnew() {
        current.isDiscarding = false
    }

    func discardJobs() {
        let thrown = jobs
        jobs = []
        for member in thrown { member.isDiscarded = true }
        ready += thrown.map { turn(of: $0, isDiscarding: true) }
    }

    /// Gives a turn to one that has heard of an outcome now, or of an old one.
    private func hand(_ member: Member, isLate: Bool) {
        switch member.place {
        case .immediate:
            ready.append(
                turn(of: member, isDiscarding: current.isDiscarding, isInJob: current.isInJob))
        case .standard:
            later.append(turn(of: member))
        case .manual where current.isDiscarding && !isLate:
            member.isDiscarded = true
            ready.append(turn(of: member, isDiscarding: true))
        case .manual where current.isInJob && !isLate && .random(using: &random):
            // As part of the job that is run.
            ready.append(turn(of: member, isInJob: true))
        case .manual:
            jobs.append(member)
        }
    }

    // MARK: Time

    /// Does something after a time, and returns how to switch that off.
    func after(_ time: Int, _ ring: @escaping () -> Void) -> () -> Void {
        lastAlarm += 1
        let id = lastAlarm
        var isOff = false
        // A task begins when it begins, and has looked at the clock before it sleeps.
        whenever { [unowned self] in
            let deadline = now + time
            whenever { [unowned self] in
                if isOff { return }
                if deadline <= now { return ring() }
                alarms.append(Alarm(id: id, time: deadline, ring: ring))
            }
        }
        return { [unowned self] in
            isOff = true
            alarms.removeAll { $0.id == id }
        }
    }

    func advance(by time: Int) {
        now += time
        let due = alarms.filter { $0.time <= now }.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        alarms.removeAll { $0.time <= now }
        for alarm in due {
            if isRacing {
                ready.append(Turn(thread: anyThread, perform: alarm.ring))
            } else {
                ahead(alarm.ring)
            }
        }
    }

    /// A step of a task.
    private func whenever(_ step: @escaping () -> Void) {
        if isRacing { ready.append(Turn(thread: anyThread, perform: step)) } else { step() }
    }

    /// The thread that a task runs on: that which has begun or woken it, or one that came before.
    private var anyThread: Int? { Bool.random(using: &random) ? current.thread : nil }

    // MARK: Rules

    func end(_ member: Member, _ outcome: Outcome) {
        guard !member.hasEnded else { return }
        member.hasEnded = true
        member.outcome = member.isCancelled ? .cancelled : outcome
        member.awaited = nil
        let waiting = member.waiters
        member.waiters = []
        for waiter in waiting { next { [unowned self] in hand(waiter, isLate: false) } }
    }

    /// Settles a source, if nothing has yet.
    func settle(_ member: Member, _ outcome: Outcome) {
        guard member.isPending, member.awaited == nil, !member.isResolved else { return }
        // From now on nothing needs to be stopped, though a cancellation may still come first.
        member.isResolved = true
        next { [unowned self] in end(member, outcome) }
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
            if !member.isResolved { member.stop() }
            return end(member, .cancelled)
        }
        next { [unowned self] in lose(member, of: awaited) }
    }

    /// Takes a waiter that was cancelled off what it waits for, which the last one takes along.
    private func lose(_ member: Member, of awaited: Member) {
        guard awaited.isPending, awaited.waiters.contains(where: { $0 === member }) else { return }
        member.isLost = true
        let others = awaited.waiters.contains { !$0.isLost || $0.cleansUp }
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
