import Dispatch
import Foundation
import Testing

@testable import LarderObjectStore

/// Several reads that belong together.
struct SnapshotTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws {
        library = try Library.fixture()
        try store.save([Library.old, Library.fiction])
    }

    @Test func `stays as it was while others write`() throws {
        let other = try Store(at: library.path, model: store.model)
        let tag = try #require(try store.first(Tag.all))
        try store.read { snapshot in
            let before = try snapshot.count(Tag.all)
            try other.save(Tag(name: "new", color: nil))
            try store.save(Tag(name: tag.name, color: "changed"))
            #expect(try snapshot.count(Tag.all) == before)
            #expect(try snapshot.fetch(Tag.all).map(\.color).contains("changed") == false)
            #expect(try snapshot.first(Tag.where { $0.name == "new" }) == nil)
            // The thread reads through its snapshot.
            #expect(try store.count(Tag.all) == before)
            #expect(try store.read { try $0.count(Tag.all) } == before)
        }
        #expect(try store.count(Tag.all) == 3)
        #expect(try store.count(Tag.where { $0.color == "changed" }) == 1)
    }

    @Test func `is as the store was when it began, not when it first reads`() throws {
        try store.read { snapshot in
            try store.save(Tag(name: "new", color: nil))
            #expect(try snapshot.count(Tag.all) == 2)
        }
    }

    @Test func `sees none of a transaction that is going on`() throws {
        let isWriting = DispatchSemaphore(value: 0)
        let hasRead = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        DispatchQueue(label: "test").async(group: done) { [store] in
            try? store.write { context in
                try context.delete(Tag.all)
                try context.save(Tag(name: "late", color: nil))
                isWriting.signal()
                _ = hasRead.wait(timeout: .farAway)
            }
        }
        #expect(isWriting.wait(timeout: .farAway) == .success)
        try store.read { snapshot in
            let before = try snapshot.count(Tag.all)
            hasRead.signal()
            #expect(done.wait(timeout: .farAway) == .success)
            let after = try snapshot.count(Tag.all)
            #expect(before == 2 && after == 2)
        }
        #expect(try store.fetch(Tag.all).map(\.name) == ["late"])
    }

    @Test func `inside a transaction is that transaction`() throws {
        try store.write { context in
            try context.save(Tag(name: "new", color: nil))
            #expect(try store.read { try $0.count(Tag.all) } == 3)
        }
    }

    @Test func `is not to be used after its end`() throws {
        let kept = try store.read { UncheckedBox($0) }.value
        let error = #expect(throws: StoreError.self) { try kept.count(Tag.all) }
        #expect(error?.reason == .closed)
        #expect(error?.message.contains("snapshot") == true)
        #expect(try store.count(Tag.all) == 2)
    }

    @Test func `an error in the middle gives the connection back`() throws {
        struct Failure: Error {}
        for _ in 0..<10 {
            #expect(throws: Failure.self) {
                try store.read { snapshot in
                    _ = try snapshot.count(Tag.all)
                    throw Failure()
                }
            }
        }
        try store.save(Tag(name: "new", color: nil))
        #expect(try store.count(Tag.all) == 3)
    }

    @Test func `of a store in memory is what it holds`() throws {
        let store = try Store.inMemory(entities: Tag.self)
        try store.save(Library.old)
        #expect(try store.read { try $0.count(Tag.all) + $0.fetch(Tag.all).count } == 2)
        #expect(
            #expect(throws: StoreError.self) {
                try store.read { _ in try store.save(Library.fiction) }
            }?.reason == .reentrant)
    }

    @Test func `eight threads write and read at once`() throws {
        let failures = UncheckedBox<[String]>([])
        let lock = NSLock()
        let store = store
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                for turn in 0..<25 {
                    try store.write { context in
                        let name = "\(thread).\(turn)"
                        try context.save(Tag(name: name + "a", color: nil))
                        try context.save(Tag(name: name + "b", color: nil))
                        if turn % 5 == 4 { try context.delete(Tag(name: name + "a", color: nil)) }
                        if turn % 5 == 4 { try context.delete(Tag(name: name + "b", color: nil)) }
                    }
                    let isWhole = try store.read { snapshot in
                        let count = try snapshot.count(Tag.all)
                        return try snapshot.fetch(Tag.all).count == count && count.isMultiple(of: 2)
                    }
                    if !isWhole { throw StoreError(.sqlite, "torn") }
                }
            } catch { lock.withLock { failures.value.append("\(error)") } }
        }
        #expect(failures.value == [])
        #expect(try store.count(Tag.all) == 2 + 8 * 20 * 2)
    }
}
