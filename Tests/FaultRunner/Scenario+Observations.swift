import Foundation
import LarderObjectStore
import LarderPromises

extension Scenario {
    /// What is observed, by connections that nobody else has.
    static let observations: [Scenario] = [
        Scenario("observe") { store, _ in
            let seen = Deliveries()
            let observation = store.observe(Book.all).start(
                on: .default, onError: { seen.add(.failure($0)) },
                onChange: { seen.add(.success($0.count)) })
            defer { observation.cancel() }
            // It may be done again where it had been done.
            try seen.wait(for: 60...70)
            try store.import(Many<Book>.self, from: Library.books(60..<70))
            try seen.wait(for: 70...70)
        }
    ]
}

/// What an observation of books delivers.
///
/// Unchecked because everything is only touched under the lock.
private final class Deliveries: @unchecked Sendable {
    private let lock = NSCondition()
    private var last: Result<Int, any Error>?

    func add(_ count: Result<Int, any Error>) {
        lock.withLock {
            last = count
            lock.broadcast()
        }
    }

    /// Waits for a number of books.
    ///
    /// - Throws: The error that has ended the observation.
    func wait(for counts: ClosedRange<Int>) throws {
        let end = Date(timeIntervalSinceNow: 3600)
        try lock.withLock {
            while try !(last.map { counts.contains(try $0.get()) } ?? false) {
                guard lock.wait(until: end) else { throw Wrong("\(counts) were not delivered") }
            }
        }
    }
}
