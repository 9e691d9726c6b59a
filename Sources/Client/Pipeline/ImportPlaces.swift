/// The responses that wait to be stored, in the order in which they came.
///
/// One that has to be read first has its place kept, as what came after it may be of the same objects, and is
/// newer. Those behind wait for none longer than ``patience``: what reads it may be the app's, and wait in turn
/// for one of them.
struct ImportPlaces {
    /// The longest time that others wait behind a kept place once it is the first.
    static let patience = Duration.seconds(1)

    private enum Place {
        case kept
        /// Kept however long that takes.
        case reserved
        case taken(any ImportJob)
        case left
    }

    /// What is to be done next.
    enum Next: Equatable {
        /// Some thread has to store.
        case work
        /// The first place is kept, and others wait behind it, until a time.
        case wait(until: Duration)
    }

    /// No slice, which would keep those that have been taken out, and with them the client.
    private var places: [Place] = []
    /// The number of the first place there is.
    private var firstNumber = 0
    private var takenCount = 0
    private var isWorking = false
    private var isTimed = false
    /// The number of the first place that is waited for, and the time since when.
    private var held: (number: Int, since: Duration)?

    /// Adds a response at the end.
    mutating func add(_ job: any ImportJob) {
        places.append(.taken(job))
        takenCount += 1
    }

    /// Keeps a place at the end, and gives its number.
    mutating func keep() -> Int {
        places.append(.kept)
        return firstNumber + places.count - 1
    }

    /// Keeps a place at the end that is not given up by those behind it, and gives its number.
    mutating func reserve() -> Int {
        places.append(.reserved)
        return firstNumber + places.count - 1
    }

    private func isKept(_ number: Int) -> Bool {
        guard number >= firstNumber else { return false }
        return switch places[number - firstNumber] {
        case .kept, .reserved: true
        case .taken, .left: false
        }
    }

    /// Puts a response in its place, or at the end where that was given up.
    mutating func fill(_ number: Int, with job: any ImportJob) {
        guard isKept(number) else { return add(job) }
        places[number - firstNumber] = .taken(job)
        takenCount += 1
    }

    /// Gives a place up, unless it is filled.
    mutating func leave(_ number: Int) {
        if isKept(number) { places[number - firstNumber] = .left }
    }

    /// Gives the first place up where it has been waited for too long.
    mutating func expire(at now: Duration) {
        isTimed = false
        guard let held, held.number == firstNumber, held.since + Self.patience <= now else {
            return
        }
        leave(held.number)
    }

    /// What whoever has changed something has to do: nothing while some thread stores or some timer runs.
    mutating func next(at now: @autoclosure () -> Duration) -> Next? {
        guard !isWorking else { return nil }
        dropLeft()
        switch places.first {
        case .taken:
            isWorking = true
            return .work
        case .kept where takenCount > 0:
            let since = held.flatMap { $0.number == firstNumber ? $0.since : nil } ?? now()
            held = (firstNumber, since)
            guard !isTimed else { return nil }
            isTimed = true
            return .wait(until: since + Self.patience)
        case .kept, .reserved, .left, nil:
            return nil
        }
    }

    /// Takes out those that are stored next; where nothing can be, the caller stores no more.
    mutating func takeNext() -> [any ImportJob] {
        var jobs: [any ImportJob] = []
        var (count, size) = (0, 0)
        search: for index in places.indices {
            switch places[index] {
            case .left:
                count += 1
            case .kept, .reserved:
                break search
            case .taken(let job):
                size += job.size
                let isFitting =
                    jobs.isEmpty
                    || size <= ImportLine.maximumSharedSize && !job.needsOwnTransaction
                        && jobs.count < ImportLine.maximumShares
                guard isFitting else { break search }
                jobs.append(job)
                count += 1
                if job.needsOwnTransaction { break search }
            }
        }
        drop(count)
        takenCount -= jobs.count
        isWorking = !jobs.isEmpty
        return jobs
    }

    private mutating func dropLeft() {
        drop(places.prefix { if case .left = $0 { true } else { false } }.count)
    }

    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        places.removeFirst(count)
        firstNumber += count
    }
}
