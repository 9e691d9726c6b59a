import Dispatch
import Foundation
import Testing

@testable import LarderObjectStore

/// Transactions, and what runs beside them.
struct StoreTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("store.sqlite")
    }

    private func open() throws -> Store {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .seconds(600)
        return try Store(at: path, entities: Card.self, configuration: configuration)
    }

    private static func card(_ value: Int, _ played: Int = 0) -> Data {
        Data(#"{"suit": "h", "value": "\#(value)", "times_played": \#(played)}"#.utf8)
    }

    private static func insert(_ value: Int, _ context: Context) throws {
        try context.import(Card.self, from: JSONDocument(card(value)).root)
    }

    private struct Failure: Error {}

    private static let places = ["file", "memory"]

    private func store(_ place: String) throws -> Store {
        place == "file" ? try open() : try Store.inMemory(entities: Card.self)
    }

    // MARK: Transactions

    @Test(arguments: places)
    func `a transaction is in the store whole`(_ place: String) throws {
        let store = try store(place)
        let count = try store.write { context in
            for value in 0..<10 { try Self.insert(value, context) }
            return try context.count(Card.all)
        }
        #expect(count == 10)
        #expect(try store.count(Card.all) == 10)
    }

    @Test(arguments: places)
    func `a transaction whose body throws is not in the store`(_ place: String) throws {
        let store = try store(place)
        try store.import(Card.self, from: Self.card(1))
        #expect(throws: Failure.self) {
            try store.write { context in
                try Self.insert(2, context)
                try context.import(Card.self, from: JSONDocument(Self.card(1, 5)).root)
                #expect(try context.count(Card.all) == 2)
                throw Failure()
            }
        }
        #expect(try store.fetch(Card.all).map(\.timesPlayed) == [0])
        try store.import(Card.self, from: Self.card(3))
        #expect(try store.count(Card.all) == 2)
    }

    @Test(arguments: places)
    func `a context sees what it has written`(_ place: String) throws {
        let store = try store(place)
        try store.write { context in
            try Self.insert(1, context)
            #expect(try context.fetch(Card.all).map(\.value) == ["1"])
            #expect(try store.fetch(Card.all).map(\.value) == ["1"])
            #expect(context.store === store)
        }
    }

    @Test func `relationships can be read inside the transaction that wrote them`() throws {
        let comics = try Comics.fixture()
        let names = try comics.store.write { context in
            let hero = try context.import(
                Hero.self,
                from: JSONDocument(
                    #"{"id": 1, "name": "A", "publisher": {"id": 5, "name": "P"}, "powers": [{"id": 1, "name": "X"}]}"#
                ).root)
            return try [hero.publisher?.fetch().name ?? ""] + hero.powers.fetch().map(\.name)
        }
        #expect(names == ["P", "X"])
    }

    @Test(arguments: places)
    func `a transaction inside a transaction is an error that explains`(_ place: String) throws {
        let store = try store(place)
        try store.write { context in
            try Self.insert(1, context)
            let error = #expect(throws: StoreError.self) { try store.write { _ in } }
            #expect(error?.reason == .reentrant)
            #expect(error?.message.contains("context") == true)
            #expect(
                #expect(throws: StoreError.self) {
                    try store.import(Card.self, from: Self.card(2))
                }?.reason == .reentrant)
            let queue = DispatchQueue(label: "another")
            #expect(
                #expect(throws: StoreError.self) {
                    try queue.sync { try store.write { _ in } }
                }?.reason == .reentrant)
        }
        #expect(try store.count(Card.all) == 1)
    }

    @Test(arguments: places)
    func `a context is not to be used after its transaction`(_ place: String) throws {
        let store = try store(place)
        let context = try store.write { context in
            try Self.insert(1, context)
            return UncheckedBox(context)
        }.value
        #expect(context.report["Card"] == .init(1))
        let root = try JSONDocument(Self.card(2)).root
        let calls: [() throws -> Void] = [
            { try context.import(Card.self, from: root) },
            { _ = try context.fetch(Card.all) },
            { _ = try context.count(Card.all) },
            { _ = try Card.import(from: root, in: context) },
        ]
        for call in calls {
            #expect(#expect(throws: StoreError.self) { try call() }?.reason == .closed)
        }
        #expect(try store.count(Card.all) == 1)
    }

    @Test func `stores in memory are their own`() throws {
        let one = try Store.inMemory(entities: Card.self)
        let other = try Store.inMemory(entities: Card.self)
        try one.import(Card.self, from: Self.card(1))
        #expect(try other.count(Card.all) == 0)
        #expect(one.path == nil)
    }

    // MARK: Readers and writers

    @Test func `reading does not wait for a transaction and sees the last commit`() throws {
        let store = try open()
        try store.import(Card.self, from: Self.card(1))
        let isWriting = DispatchSemaphore(value: 0)
        let hasRead = DispatchSemaphore(value: 0)
        let isDone = DispatchSemaphore(value: 0)
        let failure = UncheckedBox<(any Error)?>(nil)
        DispatchQueue(label: "test").async {
            do {
                try store.write { context in
                    try Self.insert(2, context)
                    isWriting.signal()
                    _ = hasRead.wait(timeout: .farAway)
                }
            } catch { failure.value = error }
            isDone.signal()
        }
        #expect(isWriting.wait(timeout: .farAway) == .success)
        #expect(try store.count(Card.all) == 1)
        #expect(try store.fetch(Card.all).map(\.value) == ["1"])
        #expect(try open().count(Card.all) == 1)
        hasRead.signal()
        #expect(isDone.wait(timeout: .farAway) == .success)
        #expect(failure.value == nil)
        #expect(try store.count(Card.all) == 2)
    }

    @Test func `two stores on one file see each other's commits`() throws {
        let one = try open()
        let other = try open()
        try one.import(Card.self, from: Self.card(1))
        #expect(try other.fetch(Card.all).map(\.value) == ["1"])
        try other.import(Card.self, from: Self.card(1, 7))
        #expect(try one.fetch(Card.all).map(\.timesPlayed) == [7])
        #expect(try one.count(Card.all) == 1)
    }

    @Test(arguments: [1, 3])
    func `writers on many threads never make duplicates`(_ storeCount: Int) throws {
        let stores = try (0..<storeCount).map { _ in try open() }
        let failures = UncheckedBox<[String]>([])
        let lock = NSLock()
        DispatchQueue.concurrentPerform(iterations: 24) { iteration in
            do {
                let store = stores[iteration % storeCount]
                let cards = (0..<50).map {
                    #"{"suit": "h", "value": "\#(($0 + iteration) % 60)", "times_played": \#(iteration)}"#
                }
                try store.import(
                    Many<Card>.self, from: Data("[\(cards.joined(separator: ","))]".utf8))
                _ = try store.fetch(Card.all.limit(5))
            } catch {
                lock.withLock { failures.value.append("\(error)") }
            }
        }
        #expect(failures.value == [])
        #expect(try stores[0].count(Card.all) == 60)
        #expect(Set(try stores[0].fetch(Card.all).map(\.value)).count == 60)
    }

    @Test func `many readers and a writer at once`() throws {
        let store = try open()
        let failures = UncheckedBox<[String]>([])
        let lock = NSLock()
        DispatchQueue.concurrentPerform(iterations: 40) { iteration in
            do {
                if iteration % 4 == 0 {
                    try store.write { context in
                        for value in 0..<20 { try Self.insert(iteration * 100 + value, context) }
                    }
                } else {
                    for _ in 0..<20 {
                        let count = try store.count(Card.all)
                        if !count.isMultiple(of: 20) { throw Failure() }
                    }
                }
            } catch {
                lock.withLock { failures.value.append("\(error)") }
            }
        }
        #expect(failures.value == [])
        #expect(try store.count(Card.all) == 200)
    }

    @Test func `a lock that another process keeps is an error after waiting`() throws {
        let plan = try StorePlan(Model(entities: Card.self))
        _ = try open()
        let other = try Connection(path: path, creates: false, readOnly: false, busyTimeout: 0)
        try other.execute("BEGIN IMMEDIATE")
        let connection = try Connection(path: path, creates: false, readOnly: false, busyTimeout: 1)
        let error = #expect(throws: StoreError.self) {
            try connection.transaction("BEGIN IMMEDIATE") {}
        }
        #expect(error?.reason == .busy)
        try other.execute("ROLLBACK")
        #expect(plan.entities.count == 1)
    }

    @Test func `a store lives as long as what was read from it`() throws {
        let comics = try Comics.store()
        var hero: Hero? = try comics.import(
            Hero.self,
            from: Data(#"{"id": 1, "name": "A", "publisher": {"id": 5, "name": "P"}}"#.utf8))
        let publisher = try #require(hero?.publisher)
        hero = nil
        #expect(try publisher.fetch().name == "P")
    }
}

/// A value that a test carries where it is not safe, and is right to.
final class UncheckedBox<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
}
