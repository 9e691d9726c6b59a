import Foundation
import LarderObjectStore
import LarderPromises

/// Four threads that read and one that writes, on one store, with live queries beside them.
struct ConcurrencyRun {
    private static let readerCount = 4
    private static let batchSize = 10
    private let workplace: Workplace
    private let store: Store

    init() throws {
        workplace = try Workplace()
        // Here there are others: readers wait for each other.
        store = try Library.open(workplace.path, Store.Configuration())
        for batch in 1...100 { try Self.insert(batch, into: store) }
    }

    /// Reads for a third of the time without the writer, and for two thirds with it; prints what
    /// each read took.
    ///
    /// - Throws: `Wrong` where a reader sees half a transaction.
    func run(seconds: Int) throws {
        let alone = try read(for: .seconds(max(seconds / 3, 1)))
        let (inbox, observations) = observe()
        let writer = Turn { [store] isOver in
            var batch = 100
            // Once at least, on a machine however busy.
            while !isOver() || batch == 100 {
                batch += 1
                try store.write { context in
                    try context.delete(Book.where { $0.batch == batch - 100 })
                    let document = try JSONDocument(Self.books(batch))
                    try context.import(Many<Book>.self, from: document.root)
                }
            }
            return [Duration.seconds(batch - 100)]
        }
        let beside = try read(for: .seconds(max(seconds * 2 / 3, 1)))
        try inbox.wait()
        let transactions = try writer.end().first.map { Int($0.components.seconds) } ?? 0
        observations.forEach { $0.cancel() }
        print("without a writer: \(Self.summary(alone))")
        print("with a writer:    \(Self.summary(beside)); \(transactions) transactions")
        print("live queries delivered \(inbox.count) times")
        guard transactions > 0 else { throw Wrong("nothing was written") }
        try store.close()
    }

    private func read(for time: Duration) throws -> [Duration] {
        let readers = (0..<Self.readerCount).map { number in
            Turn { [store] isOver in
                var generator = Generator(state: UInt64(number))
                var times: [Duration] = []
                let clock = ContinuousClock()
                while !isOver() {
                    let author = generator.next(below: 7)
                    times.append(try clock.measure { try Self.read(store, author) })
                }
                return times
            }
        }
        Thread.sleep(forTimeInterval: time / .seconds(1))
        return try readers.flatMap { try $0.end() }.sorted()
    }

    /// Several reads of one state, which must belong together.
    private static func read(_ store: Store, _ author: Int) throws {
        try store.read { snapshot in
            let books = try snapshot.fetch(Book.where { $0.author.id == author }.limit(50))
            guard try books.allSatisfy({ try $0.author?.fetch().id == author }) else {
                throw Wrong("a book of another author")
            }
            let count = try snapshot.count(Book.all)
            guard count == 100 * batchSize else { throw Wrong("torn: \(count) books") }
        }
    }

    private func observe() -> (Inbox, [StoreObservation]) {
        let inbox = Inbox()
        let count = store.observe { try $0.count(Book.all) }
            .start(on: .default, onError: { print($0) }) { _ in inbox.add() }
        let books = store.observe(Book.where { $0.author.id == 3 }.limit(20)).start(
            on: .default, onError: { print($0) }
        ) { _ in inbox.add() }
        return (inbox, [count, books])
    }

    private static func insert(_ batch: Int, into store: Store) throws {
        try store.import(Many<Book>.self, from: books(batch))
    }

    private static func books(_ batch: Int) -> Data {
        Library.books((batch * batchSize)..<((batch + 1) * batchSize), batch: batch)
    }

    private static func summary(_ times: [Duration]) -> String {
        func part(_ share: Double) -> String {
            guard !times.isEmpty else { return "-" }
            let time = times[Int(Double(times.count - 1) * share)]
            return (time / .milliseconds(1)).formatted(.number.precision(.fractionLength(3)))
        }
        return "\(times.count) reads, p50 \(part(0.5)) ms, p99 \(part(0.99)) ms"
    }
}

extension ConcurrencyRun {
    /// Counts what live queries deliver.
    ///
    /// Unchecked because the count is only touched under the lock.
    private final class Inbox: @unchecked Sendable {
        private let lock = NSCondition()
        private var deliveries = 0

        var count: Int { lock.withLock { deliveries } }

        func add() {
            lock.withLock {
                deliveries += 1
                lock.broadcast()
            }
        }

        /// Waits for the first delivery.
        func wait() throws {
            let end = Date(timeIntervalSinceNow: 3600)
            try lock.withLock {
                while deliveries == 0 {
                    guard lock.wait(until: end) else { throw Wrong("nothing was delivered") }
                }
            }
        }
    }

    /// A thread that works until it is told to end.
    ///
    /// Unchecked because all that changes is only touched under the lock.
    private final class Turn: @unchecked Sendable {
        private let lock = NSCondition()
        private var isOver = false
        private var result: Result<[Duration], any Error>?

        init(_ work: @escaping @Sendable (_ isOver: () -> Bool) throws -> [Duration]) {
            let thread = Thread { [self] in
                let result = Result { try work { self.lock.withLock { self.isOver } } }
                lock.withLock {
                    self.result = result
                    lock.broadcast()
                }
            }
            thread.stackSize = 4 << 20
            thread.start()
        }

        /// Tells it to end, and waits for it.
        func end() throws -> [Duration] {
            try lock.withLock {
                isOver = true
                while true {
                    if let result { return try result.get() }
                    lock.wait()
                }
            }
        }
    }
}
