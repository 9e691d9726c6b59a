import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Which values are told to those who want values of a type.
@Suite struct ObservedValueTests {
    /// The number of values of a type that are told where a request asks for one of another type.
    private func count<Asked: Decodable & Sendable, Wanted: Sendable>(
        _ text: String, _ asked: Asked.Type, _ wanted: Wanted.Type
    ) async throws -> Int {
        let client = try TestClient.client(answering: text)
        let seen = Seen<Wanted>()
        client.observeValues(for: seen, as: wanted) { $0.note($1) }
        _ = try await client.enqueue(.get("x"), as: asked).value
        return seen.count
    }

    @Test func `an empty collection is one of its own type alone`() async throws {
        #expect(try await count("[]", [Int].self, [String].self) == 0)
        #expect(try await count("[]", [Int]?.self, [String].self) == 0)
        #expect(try await count("[]", [Int].self, [String]?.self) == 0)
        #expect(try await count("[]", Set<Int>.self, Set<String>.self) == 0)
        #expect(try await count("{}", [String: Int].self, [String: String].self) == 0)
        #expect(try await count("[[]]", [[Int]].self, [[String]].self) == 0)
        #expect(try await count(#"{"a": []}"#, [String: [Int]].self, [String: [Bool]].self) == 0)
        #expect(try await count("[]", [Int].self, [Int].self) == 1)
        #expect(try await count("[]", [Int]?.self, [Int].self) == 1)
        #expect(try await count("[]", [Int].self, [Int]?.self) == 1)
        #expect(try await count("[[]]", [[Int]].self, [[Int]].self) == 1)
        #expect(try await count("[]", [Int].self, (any Sendable).self) == 1)
    }

    @Test func `nil is one of its own type alone`() async throws {
        #expect(try await count("null", Int?.self, String?.self) == 0)
        #expect(try await count("null", Int?.self, Int.self) == 0)
        #expect(try await count("[null]", [Int?].self, [String?].self) == 0)
        #expect(try await count("null", Int?.self, Int?.self) == 1)
        #expect(try await count("[null]", [Int?].self, [Int?].self) == 1)
    }

    @Test func `what is one of a type is told, whatever was asked for`() async throws {
        #expect(try await count("5", Int?.self, Int.self) == 1)
        #expect(try await count("5", Int.self, Int?.self) == 1)
        #expect(try await count("5", Int.self, (any Sendable & Equatable).self) == 1)
        #expect(try await count("5", Int.self, String.self) == 0)
        #expect(try await count("[1, 2]", [Int].self, [any Sendable].self) == 1)
        #expect(try await count("[1, 2]", [Int]?.self, [Int].self) == 1)
        #expect(try await count("[1, 2]", [Int].self, [Int?].self) == 1)
        #expect(try await count("[1, null]", [Int?].self, [Int].self) == 0)
        #expect(try await count(#"{"a": 1}"#, [String: Int].self, [String: Int].self) == 1)
        #expect(try await count(#"{"a": 1}"#, [String: Int].self, [String: Bool].self) == 0)
    }

    @Test func `an empty list of other objects wipes none away`() async throws {
        let client = try TestClient.client(answering: "[]")
        let (users, tags) = (Seen<[User]>(), Seen<[Tag]>())
        client.observeValues(for: users) { $0.note($1) }
        client.observeValues(for: tags) { $0.note($1) }
        let list: [Tag] = try await client.enqueue(.get("tags")).value
        let response: Response<[Tag]> = try await client.enqueue(.get("tags")).value
        #expect(list.isEmpty && response.value.isEmpty)
        #expect(tags.count == 2 && users.count == 0)
    }

    @Test func `that there was an answer is a value, too`() async throws {
        let client = try TestClient.client(answering: "[]")
        let seen = Seen<Void>()
        client.observeValues(for: seen, as: Void.self) { seen, _ in seen.note(()) }
        try await client.enqueue(.get("x"), as: Void.self).value
        _ = try await client.enqueue(.get("x"), as: Response<Void>.self).value
        _ = try await client.enqueue(.get("x"), as: [Int].self).value
        #expect(seen.count == 2)
    }
}
