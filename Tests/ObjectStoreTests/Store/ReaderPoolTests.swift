import Dispatch
import Foundation
import Testing

@testable import LarderObjectStore

struct ReaderPoolTests {
    private let folder: TemporaryFolder
    private let pool: ReaderPool

    init() throws {
        folder = try TemporaryFolder()
        _ = try Store(at: folder.file("a"), entities: Card.self)
        pool = ReaderPool(try Self.file("a", in: folder, busyTimeout: .seconds(60)), limit: 2)
    }

    private static func file(
        _ name: String, in folder: TemporaryFolder, busyTimeout: Duration
    ) throws -> OpenFile {
        var configuration = Store.Configuration()
        configuration.busyTimeout = busyTimeout
        return try OpenFile(
            folder.file(name), of: folder.open(name), configuration: configuration)
    }

    @Test func `lends a connection again once it is back`() throws {
        let first = try pool.run { ObjectIdentifier($0) }
        #expect(try pool.run { ObjectIdentifier($0) } == first)
        #expect(throws: StoreError.self) {
            try pool.run { _ in throw StoreError(.sqlite, "test") }
        }
        #expect(try pool.run { ObjectIdentifier($0) } == first)
    }

    @Test func `reading inside of reading has the same connection`() throws {
        try pool.run { outer in
            try pool.run { inner in
                #expect(inner === outer)
                try pool.run { #expect($0 === outer) }
            }
        }
    }

    @Test func `two threads have two connections and a third waits`() throws {
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        let seen = UncheckedBox<Set<ObjectIdentifier>>([])
        let lock = NSLock()
        for _ in 0..<3 {
            DispatchQueue(label: "test").async(group: done) { [pool] in
                try? pool.run { connection in
                    lock.withLock { _ = seen.value.insert(ObjectIdentifier(connection)) }
                    entered.signal()
                    _ = gate.wait(timeout: .farAway)
                }
            }
        }
        #expect(entered.wait(timeout: .farAway) == .success)
        #expect(entered.wait(timeout: .farAway) == .success)
        #expect(lock.withLock { seen.value.count } == 2)
        for _ in 0..<3 { gate.signal() }
        #expect(done.wait(timeout: .farAway) == .success)
        #expect(seen.value.count == 2)
    }

    @Test func `connections only read`() throws {
        let error = #expect(throws: StoreError.self) {
            try pool.run { try $0.execute("DELETE FROM Card") }
        }
        #expect(error?.reason == .readOnly)
    }

    @Test func `a file that is gone is an error each time`() throws {
        let file = try Self.file("a", in: folder, busyTimeout: .zero)
        try FileManager.default.removeItem(atPath: folder.file("a"))
        let pool = ReaderPool(file, limit: 1)
        for _ in 0..<3 {
            #expect(
                #expect(throws: StoreError.self) { try pool.run { _ in } }?.reason == .moved)
        }
    }

    @Test func `objects that read others while they are read do not block each other`() throws {
        let store = try Store(at: folder.file("b"), entities: Chain.self)
        try store.import(
            Many<Chain>.self,
            from: Data(#"[{"id": 1, "next": 2}, {"id": 2, "next": 3}, {"id": 3}]"#.utf8))
        let failures = UncheckedBox<[String]>([])
        let lock = NSLock()
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            do {
                let chains = try store.fetch(Chain.all)
                if chains.map(\.length) != [3, 2, 1] {
                    lock.withLock { failures.value.append("\(chains)") }
                }
            } catch { lock.withLock { failures.value.append("\(error)") } }
        }
        #expect(failures.value == [])
    }
}

/// An object that reads the next one while it is read itself.
private struct Chain: Entity {
    var length: Int

    static var entityName: String { "Chain" }
    static let entityDescription = EntityDescription.numbered(
        "Chain",
        relationships: [
            RelationshipDescription("next", to: "Chain", isOptional: true, key: "next")
        ])

    struct Columns: EntityColumns { init(path: ColumnPath) {} }

    init(row: EntityRow) throws {
        let next: One<Chain>? = try row.one(0)
        length = 1 + (try next?.fetch().length ?? 0)
    }
}
