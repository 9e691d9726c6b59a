import Dispatch
import Foundation
import Testing

@testable import LarderObjectStore

struct WriterTests {
    private static func writer() throws -> Writer {
        let plan = try StorePlan(Model(entities: [Card.self]))
        return Writer(connection: try StoreFile(path: nil).open(for: plan), plan: plan)
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
            try writer.run { _, _ in throw StoreError(.sql, "test") }
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
}
