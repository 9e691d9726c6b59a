import Dispatch
import Foundation
import Testing

@testable import LarderObjectStore

struct WriterTests {
    private static func writer() throws -> Writer {
        let plan = try StorePlan(Model(entities: [Card.self]))
        return Writer(connection: try StoreFile(path: nil).open(for: plan).connection, plan: plan)
    }

    @Test func `knows the thread that it runs on`() throws {
        let writer = try Self.writer()
        #expect(writer.currentConnection == nil)
        try writer.run { connection, _ in
            #expect(writer.currentConnection === connection)
            let isElsewhere = UncheckedBox(false)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                isElsewhere.value = writer.currentConnection == nil
                done.signal()
            }
            #expect(done.wait(timeout: .farAway) == .success)
            #expect(isElsewhere.value)
        }
        #expect(writer.currentConnection == nil)
    }

    @Test func `is free again after an error`() throws {
        let writer = try Self.writer()
        #expect(throws: StoreError.self) {
            try writer.run { _, _ in throw StoreError(.sqlite, "test") }
        }
        #expect(writer.currentConnection == nil)
        #expect(try writer.run { connection, _ in try connection.value("SELECT 1") } == .integer(1))
    }

    @Test func `runs one body at a time`() throws {
        let writer = try Self.writer()
        let counter = UncheckedBox(0)
        DispatchQueue.concurrentPerform(iterations: 50) { _ in
            try? writer.run { _, _ in
                let before = counter.value
                counter.value = before + 1
            }
        }
        #expect(counter.value == 50)
    }

    @Test func `keeps statements from one document to the next`() throws {
        let writer = try Self.writer()
        let plan = try StorePlan(Model(entities: [Card.self])).entity("Card")
        let statements = try writer.run { _, statements in UncheckedBox(statements) }.value
        let first = try statements.entity(plan).find()
        #expect(try statements.entity(plan).find() === first)
    }

    @Test func `a transaction that waits for a thread which waits for it ends with an error`()
        async throws
    {
        for folder in [nil, try TemporaryFolder()] {
            var configuration = Store.Configuration()
            configuration.busyTimeout = .milliseconds(50)
            let store =
                try folder.map {
                    try Store(
                        at: $0.file("a"), entities: Card.self, configuration: configuration)
                } ?? Store.inMemory(entities: Card.self, configuration: configuration)
            let code = try await onOwnThread {
                try store.write { _ in
                    let seen = UncheckedBox<StoreError.Reason?>(nil)
                    let done = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        do { try store.insert("Card", #"{"suit": "a", "value": "1"}"#) } catch {
                            seen.value = (error as? StoreError)?.reason
                        }
                        done.signal()
                    }
                    done.wait()
                    return seen.value
                }
            }
            #expect(code == .busy)
            try store.insert("Card", #"{"suit": "a", "value": "1"}"#)
        }
    }

    @Test func `readings that wait for others on threads of their own end with an error`()
        async throws
    {
        let folder = try TemporaryFolder()
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(50)
        configuration.readerCount = 1
        let store = try Store(
            at: folder.file("a"), entities: Card.self, configuration: configuration)
        let code = try await onOwnThread {
            try store.read { _ in
                let seen = UncheckedBox<StoreError.Reason?>(nil)
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    do { _ = try store.count(Card.all) } catch {
                        seen.value = (error as? StoreError)?.reason
                    }
                    done.signal()
                }
                done.wait()
                return seen.value
            }
        }
        #expect(code == .busy)
    }
}
