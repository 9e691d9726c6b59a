import Dispatch
import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

struct ClosingTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws { library = try Library.fixture() }

    @Test func `calls into a closed store are errors`() async throws {
        try store.save(Library.old)
        let tag = try #require(try store.first(Tag.all))
        let saved = try store.save(Library.book(1))
        try store.close()
        try store.close()
        let store = store
        let calls: [() throws -> Void] = [
            { _ = try store.fetch(Tag.all) }, { _ = try store.count(Tag.all) },
            { try store.save(tag) }, { try store.write { _ in } }, { try store.read { _ in } },
            { _ = try saved.fetch() }, { try store.import(Tag.self, from: Data("{}".utf8)) },
        ]
        for call in calls.prefix(6) {
            #expect(#expect(throws: StoreError.self) { try call() }?.reason == .closed)
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.read { try $0.count(Tag.all) }
        }
        #expect(error?.reason == .closed)
        #expect(try Store(at: library.path, model: store.model).count(Tag.all) == 1)
    }

    @Test func `closing lets go of the files`() throws {
        try store.save(Library.old)
        _ = try store.first(Tag.all)
        _ = try store.find(Tag.self, id: "old")
        try store.write { _ = try $0.fetch(Tag.all) }
        let log = library.path + "-wal"
        #expect(FileManager.default.fileExists(atPath: log))
        try store.close()
        // The last connection takes the log with it.
        #expect(!FileManager.default.fileExists(atPath: log))
    }

    @Test func `what something else throws that is closed leaves the log alone`() throws {
        try store.save(Library.old)
        let log = URL(filePath: library.path + "-wal")
        let size = try Data(contentsOf: log).count
        #expect(size > 0)
        let error = #expect(throws: StoreError.self) {
            try store.write { _ in throw StoreError.closedStore }
        }
        #expect(error?.reason == .closed)
        #expect(try Data(contentsOf: log).count == size)
    }

    @Test func `a connection goes though it has read objects`() throws {
        weak let connection: Connection?
        do {
            let reading = try Connection(
                path: library.path, creates: false, readOnly: true, busyTimeout: 0)
            connection = reading
            let reader = Reader(connection: reading, store: store)
            _ = try reader.find(Tag.self, id: [.text("none")])
            _ = try reader.objects(Tag.all)
        }
        #expect(connection == nil)
    }

    @Test func `closing waits for what is going on`() throws {
        let isRunning = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        let seen = Guarded<[String]>([])
        DispatchQueue(label: "test").async(group: done) { [store] in
            try? store.read { snapshot in
                isRunning.signal()
                _ = gate.wait(timeout: .farAway)
                _ = try snapshot.count(Tag.all)
                seen.withLock { $0.append("read") }
            }
        }
        #expect(isRunning.wait(timeout: .farAway) == .success)
        DispatchQueue(label: "test").async(group: done) { [store] in
            try? store.close()
            seen.withLock { $0.append("closed") }
        }
        gate.signal()
        #expect(done.wait(timeout: .farAway) == .success)
        #expect(seen.withLock(\.self) == ["read", "closed"])
    }

    /// Closes a store while something goes on in it that ends once nobody gets in any more.
    ///
    /// - Parameter work: Calls what it gets, which lasts until then.
    private func close(
        _ store: Store,
        during work: @escaping @Sendable (_ pause: @escaping @Sendable () -> Void) throws -> Void
    ) throws {
        let isRunning = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        let seen = Guarded<[String]>([])
        DispatchQueue(label: "test").async(group: done) {
            do {
                try work {
                    isRunning.signal()
                    while (try? store.read { _ in }) != nil {}
                    // Who does not wait has closed the store by then.
                    for _ in 0..<10_000 { sched_yield() }
                    seen.withLock { $0.append("ended") }
                }
            } catch {
                seen.withLock { $0.append("\(error)") }
            }
            isRunning.signal()
        }
        #expect(isRunning.wait(timeout: .farAway) == .success)
        try store.close()
        #expect(seen.withLock(\.self) == ["ended"])
        #expect(done.wait(timeout: .farAway) == .success)
        #expect(seen.withLock(\.self) == ["ended"])
        // All is in the file itself.
        #expect(!FileManager.default.fileExists(atPath: (store.path ?? "") + "-wal"))
    }

    @Test func `closing waits for a backup, and takes the log along`() throws {
        try store.save(Library.old)
        let (copy, backup) = (library.folder.file("copy"), library.folder.file("backup"))
        try close(store) { [store] pause in
            try store.backUp(to: URL(filePath: backup)) { _ in pause() }
        }
        try FileManager.default.copyItem(atPath: library.path, toPath: copy)
        for path in [copy, backup] {
            #expect(try Store(at: path, model: store.model).count(Tag.all) == 1)
        }
    }

    @Test func `closing waits for a check`() throws {
        let pause = Guarded<(@Sendable () -> Void)?>(nil)
        var text = AttributeDescription.required("text")
        text.allowedValues = .those("text") { _ in
            let pause = pause.withLock { $0 }
            pause?()
            return true
        }
        let fixture = try StoreFixture(.numbered("Note", text))
        try fixture.insert("Note", #"{"id": 1, "text": "a"}"#)
        try close(fixture.store) { [store = fixture.store] wait in
            pause.withLock { $0 = wait }
            let report = try store.checkIntegrity()
            #expect(report.isSound)
        }
    }

    @Test func `a store can't be closed by what uses it`() throws {
        let error = #expect(throws: StoreError.self) {
            try store.write { _ in try store.close() }
        }
        #expect(error?.reason == .reentrant)
        #expect(
            #expect(throws: StoreError.self) { try store.read { _ in try store.close() } }?.reason
                == .reentrant)
        let backup = #expect(throws: StoreError.self) {
            try store.backUp(to: URL(filePath: library.folder.file("backup"))) { _ in
                try store.close()
            }
        }
        #expect(backup?.reason == .reentrant)
        // It is as open as before.
        try store.save(Library.old)
        #expect(try store.count(Tag.all) == 1)
    }

    @Test func `a store that nobody uses any more lets go of its files`() throws {
        let path = library.path + "-copy"
        let copy = try Store(at: path, model: store.model)
        try copy.save(Library.old)
        #expect(try copy.fetch(Tag.all).count == 1)
        weak let connection = try copy.withWriter { $0 }
        _ = consume copy
        #expect(connection == nil)
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }
}
