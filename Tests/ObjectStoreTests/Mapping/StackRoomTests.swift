import Foundation
import Testing

@testable import LarderObjectStore

/// A document that is not deep for the parser must not end a process whose threads are small.
struct StackRoomTests {
    @Entity struct Folder {
        @Identity var id: Int
        var parent: One<Folder>?
    }

    private static func nested(_ depth: Int) -> String {
        (0..<depth).map { #"{"id": \#($0), "parent": "# }.joined() + "null"
            + String(repeating: "}", count: depth)
    }

    /// Runs a body on a thread with a stack of some bytes.
    private func onThread<Value: Sendable>(
        stack size: Int, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.stackSize = size
            thread.start()
        }
    }

    @Test func `what a small stack has no room for is an error, and nothing is stored`()
        async throws
    {
        let store = try Store.inMemory(entities: Folder.self)
        let document = Data(Self.nested(500).utf8)
        let error = await #expect(throws: MappingError.self) {
            try await onThread(stack: 256 << 10) {
                _ = try store.import(Folder.self, from: document)
            }
        }
        #expect(error?.reason == .tooDeep)
        #expect(error?.path.hasPrefix("$.parent.parent") == true)
        #expect(try store.count(Folder.all) == 0)
    }

    @Test func `what there is room for is stored`() async throws {
        let store = try Store.inMemory(entities: Folder.self)
        let document = Data(Self.nested(500).utf8)
        try await onThread(stack: 8 << 20) { _ = try store.import(Folder.self, from: document) }
        #expect(try store.count(Folder.all) == 500)
    }
}
