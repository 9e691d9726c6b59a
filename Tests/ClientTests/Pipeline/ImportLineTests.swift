import Foundation
import LarderPromises
import LarderTesting
import Synchronization
import Testing

@testable import LarderClient
@testable import LarderObjectStore

/// Responses that wait to be stored, and what they share.
@Suite struct ImportLineTests {
    /// What was done, in order.
    private final class Record: Sendable {
        private let lines = Guarded<[String]>([])
        private let gates = Guarded<[Int: Gate]>([:])

        func note(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock(\.self) }

        /// Opens once the job of a number has ended.
        func end(of number: Int) -> Gate {
            gates.withLock { gates in
                let gate = gates[number] ?? Gate()
                gates[number] = gate
                return gate
            }
        }
    }

    private enum Fate: Sendable {
        case stored
        /// Fails by itself.
        case refused
        /// Fails and takes the transaction along, as a full disk does.
        case harmful
        /// Opens a gate when it has begun, and holds the line until a semaphore is signalled.
        case held(Gate, until: DispatchSemaphore)
    }

    private struct Job: ImportJob {
        let number: Int
        let store: Store
        let record: Record
        var size = 10
        var fate = Fate.stored
        var needsOwnTransaction = false

        struct Refused: Error {}

        var keepsake: any Sendable { () }

        func beginTurn() {}
        func endTurn() {}

        func onCancel(_ giveUp: @escaping @Sendable () -> Void) {}

        func store(isCommitted: Bool, leaving handlers: inout ReadyHandlers) {
            if case .held(let begun, let semaphore) = fate {
                begun.open()
                semaphore.wait()
            }
            record.note("\(number) alone\(isCommitted ? ", committed" : "")")
            record.end(of: number).open()
        }

        func store(in transaction: SharedTransaction) -> SharedImport {
            var isCommitted = false
            do {
                _ = try transaction.import(
                    User.self, from: JSONDocument(#"{"id": \#(number), "login": "a"}"#).root,
                    options: DecodingOptions(), isCancelled: { false },
                    willCommit: {
                        switch fate {
                        case .stored, .held: isCommitted = true
                        case .refused: throw Refused()
                        case .harmful:
                            try store.writer.currentConnection?.execute("ROLLBACK")
                            throw Refused()
                        }
                    })
            } catch {}
            let outcome = isCommitted ? "together" : "refused"
            return SharedImport(isCommitted: isCommitted) { _ in
                record.note("\(number) \(outcome)")
                record.end(of: number).open()
            }
        }
    }

    /// Has jobs come while another one is being stored, and gives what was done.
    ///
    /// - Parameter own: The numbers of those that need a transaction of their own.
    private func record(
        _ fates: [(size: Int, fate: Fate)], own: Set<Int> = [], in store: Store
    ) async throws -> [String] {
        let (record, line) = (Record(), ImportLine(into: store))
        let (begun, semaphore) = (Gate(), DispatchSemaphore(value: 0))
        line.add(
            Job(number: 0, store: store, record: record, fate: .held(begun, until: semaphore)))
        try await begun.wait()
        for (index, (size, fate)) in fates.enumerated() {
            line.add(
                Job(
                    number: index + 1, store: store, record: record, size: size, fate: fate,
                    needsOwnTransaction: own.contains(index + 1)))
        }
        semaphore.signal()
        for number in 0...fates.count { try await record.end(of: number).wait() }
        #expect(record.all.first == "0 alone")
        return Array(record.all.dropFirst())
    }

    private func store() throws -> Store {
        try Store.inMemory(entities: User.self, Article.self, Tag.self)
    }

    @Test func `those that have come meanwhile share a transaction`() async throws {
        let store = try store()
        let lines = try await record([(10, .stored), (20, .refused), (30, .stored)], in: store)
        #expect(lines == ["1 together", "2 refused", "3 together"])
        #expect(try store.fetch(User.all).map(\.id) == [1, 3])
    }

    @Test func `where all fails, each is stored alone, once past its point of no return`()
        async throws
    {
        let store = try store()
        let lines = try await record([(10, .stored), (20, .harmful), (30, .stored)], in: store)
        #expect(lines == ["1 alone, committed", "2 alone", "3 alone"])
        #expect(try store.count(User.all) == 0)
    }

    @Test func `large ones go alone, and so many bytes share`() async throws {
        let half = ImportLine.maximumSharedSize / 2
        let lines = try await record(
            [
                (3 * half, .stored), (half, .stored), (half, .stored), (1, .stored),
                (2 * half, .stored),
            ], in: store())
        #expect(
            lines == ["1 alone", "2 together", "3 together", "4 alone", "5 alone"])
    }

    @Test func `no more than so many share`() async throws {
        let count = ImportLine.maximumShares
        let jobs = Array(repeating: (size: 1, fate: Fate.stored), count: count + 1)
        let lines = try await record(jobs, in: store())
        #expect(lines.last == "\(count + 1) alone")
        #expect(lines.dropLast() == (1...count).map { "\($0) together" }[...])
    }

    @Test func `those that need a transaction of their own go alone, in their order`()
        async throws
    {
        let jobs = Array(repeating: (size: 1, fate: Fate.stored), count: 6)
        let lines = try await record(jobs, own: [3, 6], in: store())
        #expect(
            lines == [
                "1 together", "2 together", "3 alone", "4 together", "5 together", "6 alone",
            ])
    }

    @Test func `one by one, each is alone`() async throws {
        let (store, record) = (try store(), Record())
        let line = ImportLine(into: store)
        for number in 1...3 {
            line.add(Job(number: number, store: store, record: record))
            try await record.end(of: number).wait()
        }
        #expect(record.all == ["1 alone", "2 alone", "3 alone"])
    }

    @Test func `handlers may wait for what is stored after them`() async throws {
        let users = #"[{"id": 1, "login": "a"}]"#
        let client = try TestClient.client(answering: users)
        let (isStored, saw) = (DispatchSemaphore(value: 0), Seen<Bool>())
        let first: Promise<[User]> = client.enqueue(Resource("a"))
        try await first.then { (_: [User]) -> Void in
            let second: Promise<[User]> = client.enqueue(
                Resource("b"), storing: { _, _ in isStored.signal() })
            // The handler holds its thread, which is the one that has stored the first.
            saw.note(isStored.wait(timeout: .now() + 600) == .success)
            withExtendedLifetime(second) {}
        }.value
        #expect(saw.values == [true])
    }

    /// An endpoint that waits, when it goes, for a handler of what it became.
    private final class Clinging: Endpoint {
        let path = "a"
        private let isHandled: DispatchSemaphore
        private let saw: Seen<Bool>
        private let hasGone: Gate

        init(_ isHandled: DispatchSemaphore, _ saw: Seen<Bool>, _ hasGone: Gate) {
            (self.isHandled, self.saw, self.hasGone) = (isHandled, saw, hasGone)
        }

        deinit {
            saw.note(isHandled.wait(timeout: .now() + 600) == .success)
            hasGone.open()
        }
    }

    @Test(arguments: [1, 2, 5])
    func `an endpoint may wait for handlers when it is let go`(_ count: Int) async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "a"}]"#)
        let saw = Seen<Bool>()
        var gates: [Gate] = []
        for _ in 0..<count {
            let (isHandled, hasGone) = (DispatchSemaphore(value: 0), Gate())
            let endpoint = Clinging(isHandled, saw, hasGone)
            let promise: Promise<[User]> = client.enqueue(endpoint)
            promise.then { (_: [User]) -> Void in isHandled.signal() }
            // It may all be over by now, and this the last one to have the endpoint.
            withExtendedLifetime(endpoint) {}
            gates.append(hasGone)
        }
        for gate in gates { try await gate.wait() }
        #expect(saw.values == Array(repeating: true, count: count))
    }

    /// Whatever the timing.
    @Test func `each is told of once, by handlers that run one at a time`()
        async throws
    {
        let client = try TestClient.client(answering: #"{"id": 1, "login": "a"}"#)
        let inside = Atomic(0)
        let overlaps = Atomic(0)
        let ended = Seen<Int>()
        let promises = (0..<400).map { number in
            let promise: Promise<User> = client.enqueue(Resource("\(number)"))
            return promise.then { (_: User) -> Void in
                if inside.add(1, ordering: .relaxed).newValue != 1 {
                    overlaps.add(1, ordering: .relaxed)
                }
                ended.note(number)
                inside.subtract(1, ordering: .relaxed)
            }
        }
        for promise in promises { try await promise.value }
        #expect(overlaps.load(ordering: .relaxed) == 0)
        #expect(ended.values.sorted() == Array(0..<400))
    }
}
