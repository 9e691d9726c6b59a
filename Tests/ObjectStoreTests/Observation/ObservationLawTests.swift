import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

@Entity
private struct Account {
    @Identity var id: Int
    var amount: Int
    /// No two accounts have the same.
    var rank: Int
    /// Another account's, which always has the same amount of points.
    var partner: Int
    var points: Int
    var entries: Many<Entry>
}

@Entity
private struct Entry {
    @Identity var id: Int
    var text: String
}

/// What holds in every state of a store holds in everything that observers get.
///
/// Several threads and a second store on the same file change accounts in transactions which keep
/// sums, ranks and pairs. Set `LARDER_STRESS` for a minute of it instead of seconds, or
/// `LARDER_OBSERVATION_SECONDS`.
@Suite(.serialized)
struct ObservationLawTests {
    private static let count = 40
    private static let environment = ProcessInfo.processInfo.environment
    private static let duration = Duration.seconds(
        environment["LARDER_OBSERVATION_SECONDS"].flatMap(Int.init)
            ?? (environment["LARDER_STRESS"] == nil ? 5 : 60))

    /// What has been handed on, and what was wrong with it.
    private struct Record: Sendable {
        var emissions = 0
        var torn: [String] = []
    }

    private final class Recorder: Sendable {
        private let record = Guarded(Record())

        func note(_ fault: String?) {
            record.withLock { record in
                record.emissions += 1
                if let fault, record.torn.count < 10 { record.torn.append(fault) }
            }
        }

        var torn: [String] { record.withLock(\.torn) }
        var emissions: Int { record.withLock(\.emissions) }
    }

    private let folder: TemporaryFolder
    private let store: Store
    private let record = Recorder()

    init() throws {
        folder = try TemporaryFolder()
        store = try Self.store(in: folder)
        try store.write { context in
            for id in 0..<Self.count {
                try context.save(
                    Account(
                        id: id, amount: 100, rank: id, partner: id ^ 1, points: 0,
                        entries: [Entry(id: id, text: "")]))
            }
        }
    }

    private static func store(in folder: TemporaryFolder) throws -> Store {
        var configuration = Store.Configuration()
        // SQLite lets those who wait for another connection's lock wait for long.
        configuration.busyTimeout = .seconds(60)
        return try Store(
            at: folder.file("a"), entities: Account.self, Entry.self, configuration: configuration)
    }

    // MARK: Transactions that keep what holds

    private static func change(_ context: Context, by random: inout SplitMix64) throws {
        let (one, other) = (
            Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)
        )
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
            try context.update(Account.where { $0.id == one }) { $0.amount.increment(by: -1) }
            try context.update(Account.where { $0.id == other }) { $0.amount.increment(by: 1) }
        case 2:
            let ranks = try context.fetch(Account.where { $0.id.isIn([one, other]) })
            guard ranks.count == 2 else { return }
            try context.update(Account.where { $0.id == ranks[0].id }) {
                $0.rank.set(ranks[1].rank)
            }
            try context.update(Account.where { $0.id == ranks[1].id }) {
                $0.rank.set(ranks[0].rank)
            }
        default:
            try context.update(Account.where { $0.id == one }) { $0.points.increment(by: 1) }
            try context.update(Account.where { $0.partner == one }) { $0.points.increment(by: 1) }
        }
    }

    // MARK: What holds

    private static func faults(_ accounts: [Account], isSorted: Bool) -> String? {
        let ranks = accounts.map(\.rank)
        if isSorted, ranks != Array(0..<count) { return "ranks \(ranks)" }
        if Set(ranks).count != count { return "ranks \(ranks)" }
        let sum = accounts.reduce(0) { $0 + $1.amount }
        if sum != count * 100 { return "a sum of \(sum)" }
        let points = Dictionary(accounts.map { ($0.id, $0.points) }, uniquingKeysWith: max)
        if accounts.contains(where: { points[$0.partner] != $0.points }) { return "a torn pair" }
        return nil
    }

    private func note(_ fault: String?) { record.note(fault) }

    private func observations() -> [StoreObservation] {
        [
            store.observe(Account.all).start(on: .immediate) {
                note(Self.faults($0, isSorted: false))
            },
            store.observe(Account.all.sorted { $0.rank.ascending }).start(on: .immediate) {
                note(Self.faults($0, isSorted: true))
            },
            store.observe(Account.where { $0.entries.count > 0 }.sorted { $0.amount.descending })
                .start(
                    on: .immediate
                ) { accounts in
                    let amounts = accounts.map(\.amount)
                    note(amounts == amounts.sorted(by: >) ? nil : "amounts \(amounts)")
                    note(Self.faults(accounts, isSorted: false))
                },
            store.observe { try $0.fetch(Account.all).map(\.amount).reduce(0, +) }
                .start(on: .immediate) { note($0 == Self.count * 100 ? nil : "a sum of \($0)") },
        ]
    }

    private func write(in store: Store, seed: UInt64, until end: ContinuousClock.Instant) throws {
        var random = SplitMix64(seed: seed)
        while ContinuousClock.now < end {
            try store.write { try Self.change($0, by: &random) }
        }
    }

    private func expectLaws(writers: [Store]) async throws {
        let observations = observations()
        let end = ContinuousClock.now + Self.duration
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (seed, writer) in writers.enumerated() {
                group.addTask {
                    try await onOwnThread {
                        try write(in: writer, seed: UInt64(seed), until: end)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await onOwnThread { store.settleObservers() }
        for observation in observations { observation.cancel() }
        #expect(record.torn == [])
        #expect(record.emissions > observations.count)
        #expect(try Self.faults(store.fetch(Account.all), isSorted: false) == nil)
    }

    @Test func `sums, order and pairs hold in every list while three threads write`() async throws {
        try await expectLaws(writers: [store, store, store])
    }

    @Test func `they hold while another store writes the same file`() async throws {
        let other = try Self.store(in: folder)
        try await expectLaws(writers: [store, other])
    }

    @Test func `a commit of another store between a commit and its reading tears nothing`() throws {
        let other = try Self.store(in: folder)
        let observation = store.observe(Account.all).start(on: .immediate) {
            note(Self.faults($0, isSorted: false))
        }
        defer { observation.cancel() }
        store.settleObservers()
        for (one, next) in [(1, 2), (3, 4), (5, 6)] {
            store.observers.queue.suspend()
            defer { store.settleObservers() }
            defer { store.observers.queue.resume() }
            try store.write { context in
                try context.update(Account.where { $0.id == one }) { $0.amount.increment(by: -1) }
                try context.update(Account.where { $0.id == next }) { $0.amount.increment(by: 1) }
            }
            try other.write { context in
                try context.update(Account.where { $0.id == next }) { $0.amount.increment(by: -1) }
                try context.update(Account.where { $0.id == 0 }) { $0.amount.increment(by: 1) }
            }
        }
        #expect(record.torn == [])
        #expect(record.emissions >= 4)
    }
}
