import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

struct ForeignCommitCheckTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        var configuration = Store.Configuration()
        configuration.clock = clock
        store = try Store(
            at: folder.file("a"), entities: Card.self, configuration: configuration)
    }

    /// The values of an observation as they come.
    private typealias Counts = LiveValue<Int>.AsyncIterator

    private func advance() async {
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
    }

    @Test(.timeLimit(.minutes(60)))
    func `another store's commits on the same file are seen`() async throws {
        let other = try Store(at: folder.file("a"), entities: Card.self)
        var counts = store.observe { try $0.count(Card.all) }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        for count in 1...3 {
            try other.insert("Card", #"{"suit": "a", "value": "\#(count)"}"#)
            await advance()
            #expect(try await counts.next() == count)
        }
    }

    @Test(.timeLimit(.minutes(60)))
    func `objects that another store has changed are read anew`() async throws {
        let other = try Store(at: folder.file("a"), entities: Card.self)
        try store.insert("Card", #"[{"suit": "a", "value": "1"}, {"suit": "b", "value": "1"}]"#)
        var cards = store.observe(Card.all).makeAsyncIterator()
        #expect(try await cards.next()?.map(\.timesPlayed) == [nil, nil])
        try other.run("UPDATE Card SET timesPlayed = 5 WHERE suit = 'b'")
        await advance()
        #expect(try await cards.next()?.map(\.timesPlayed) == [nil, 5])
    }

    @Test(
        .timeLimit(.minutes(60)),
        .enabled(if: Python.hasSQLite, "SKIPPED: python3 with sqlite3 is not there"))
    func `another process's commits are seen`() async throws {
        var counts = store.observe { try $0.count(Card.all) }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try Python.run(
            """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute("INSERT INTO Card (suit, value) VALUES ('a', '1')")
            c.commit()
            """, folder.file("a"))
        await advance()
        #expect(try await counts.next() == 1)
    }

    @Test(.timeLimit(.minutes(60)))
    func `it is only asked for while somebody observes`() async throws {
        #expect(clock.sleeperCount == 0)
        var counts: Counts? = store.observe { try $0.count(Card.all) }.makeAsyncIterator()
        await clock.sleepers(atLeast: 1)
        #expect(clock.sleeperCount == 1)
        let second = store.observe { try $0.count(Card.all) }.start(on: .immediate) { _ in }
        #expect(clock.sleeperCount == 1)
        counts = nil
        second.cancel()
        store.settleObservers()
        #expect(clock.sleeperCount == 0)
        #expect(counts == nil)
        counts = store.observe { try $0.count(Card.all) }.makeAsyncIterator()
        await clock.sleepers(atLeast: 1)
    }

    @Test(.timeLimit(.minutes(60)), arguments: [Duration.zero, .seconds(-1)])
    func `between two looks there is a pause`(_ interval: Duration) async throws {
        var configuration = Store.Configuration()
        (configuration.clock, configuration.externalChangeInterval) = (clock, interval)
        let store = try Store(
            at: folder.file("a"), entities: Card.self, configuration: configuration)
        let counts = store.observe { try $0.count(Card.all) }.start(on: .immediate) { _ in }
        await clock.sleepers(atLeast: 1)
        #expect(clock.advance(by: .milliseconds(9)) == 0)
        #expect(clock.advance(by: .milliseconds(1)) == 1)
        counts.cancel()
    }

    @Test func `a store in memory is never asked`() async throws {
        var configuration = Store.Configuration()
        configuration.clock = clock
        let store = try Store.inMemory(entities: Card.self, configuration: configuration)
        var counts = store.observe { try $0.count(Card.all) }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        #expect(clock.sleeperCount == 0)
    }
}

/// Another process that can write a store.
private enum Python {
    static let hasSQLite: Bool = {
        do {
            try run("import sqlite3")
            return true
        } catch {
            return false
        }
    }()

    struct Failure: Error {
        let status: Int32
    }

    static func run(_ program: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program] + arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus)
        }
    }
}
