import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Writes on the condition that the resource is what it was.
@Suite struct PreconditionTests {
    private static let conditions: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifUnmodifiedSince]

    private func response(_ fields: HTTPFields) -> Response<Void> {
        Response((), headerFields: fields)
    }

    /// The conditions of what is sent.
    private func sent(
        _ precondition: Precondition, _ fields: HTTPFields = [:]
    ) async throws -> [String] {
        let transport = StubTransport(.json(""))
        let client = try TestClient.client(over: transport)
        try await client.enqueue(
            .put("x", headerFields: fields, ifMatch: precondition), as: Void.self
        ).value
        let request = try #require(transport.requests.first)
        return Self.conditions.compactMap { name in
            request.head.headerFields[name].map { "\(name.rawName): \($0)" }
        }
    }

    @Test func `a response's strong tag is what has to match`() async throws {
        let note = response([.eTag: "\"a\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"])
        #expect(try await sent(.version(of: note)) == ["If-Match: \"a\""])
    }

    @Test(arguments: [nil, "W/\"a\""])
    func `without one its time of change is`(_ tag: String?) async throws {
        var fields: HTTPFields = [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"]
        fields[.eTag] = tag
        let expected = ["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"]
        #expect(try await sent(.version(of: response(fields))) == expected)
        fields[.date] = "Sun, 06 Nov 1994 08:49:38 GMT"
        #expect(try await sent(.version(of: response(fields))) == expected)
    }

    @Test(
        arguments: [
            [:], [.eTag: "W/\"a\""], [.eTag: "a"], [.eTag: "\""], [.eTag: "\"a b\""],
            [.eTag: "\"a\", \"b\""], [.lastModified: "yesterday"],
            [
                .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
                .date: "Sun, 06 Nov 1994 08:49:37 GMT",
            ],
        ] as [HTTPFields])
    func `a write on no condition is not sent for one on a condition`(_ fields: HTTPFields)
        async throws
    {
        let transport = StubTransport(.json(""))
        let client = try TestClient.client(over: transport)
        let precondition = Precondition.version(of: response(fields))
        let promise: Promise<Void> = client.enqueue(.delete("x", ifMatch: precondition))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a tag whose bytes spell no text is not sent as another one`() async throws {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .eTag, lenientValue: [0x22, 0xE9, 0x22]))
        let transport = StubTransport(.json(""))
        let client = try TestClient.client(over: transport)
        let promise: Promise<Void> = client.enqueue(
            .put("x", ifMatch: .version(of: response(fields))))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test func `each condition has its field, and takes another one's place`() async throws {
        #expect(try await sent(.tag("\"\"")) == ["If-Match: \"\""])
        #expect(try await sent(.exists) == ["If-Match: *"])
        #expect(try await sent(.isNew) == ["If-None-Match: *"])
        #expect(
            try await sent(.unmodified(since: Date(timeIntervalSince1970: 784_111_777.9)))
                == ["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"])
        #expect(try await sent(.isNew, [.ifMatch: "\"b\""]) == ["If-None-Match: *"])
    }

    @Test func `an endpoint and a call have conditions, too`() async throws {
        let transport = StubTransport(.json(""))
        let client = try TestClient.client(over: transport)
        try await client.enqueue(Removal(), as: Void.self).value
        try await client.ifMatch(.tag("\"b\"")).enqueue(Resource("y"), as: Void.self).value
        try await client.enqueue(Resource("y"), as: Void.self).value
        #expect(transport.requests.map { $0.head.headerFields[.ifMatch] } == ["*", "\"b\"", nil])
    }

    @Test func `what has changed is a reason of its own`() async throws {
        let client = try TestClient.client(
            over: StubTransport(.json(#"{"message": "gone"}"#, status: .preconditionFailed))
        ) { $0.errorBody = .json(Complaint.self) }
        let promise: Promise<Void> = client.enqueue(
            .patch("x", body: .json(["a": 1]), ifMatch: .tag("\"a\"")))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .preconditionFailed)
        #expect(error?.status == .preconditionFailed)
        #expect((error?.details as? Complaint)?.message == "gone")
    }

    @Test func `where 412 is accepted, it is a response`() async throws {
        let client = try TestClient.client(
            over: StubTransport(.json("{}", status: .preconditionFailed)))
        let response: Response<Void> = try await client.enqueue(
            .put("x", acceptedStatuses: [200, 412])
        ).value
        #expect(response.status == .preconditionFailed)
    }

    /// Two read, both write: the second is told.
    @Test func `nobody's change is lost, over sockets`() async throws {
        let server = try await LoopbackServer()
        let version = Guarded(1)
        server.route(.get, "/note") { _ in
            .json("{}", headerFields: [.eTag: "\"\(version.withLock(\.self))\""])
        }
        server.route(.put, "/note") { request in
            version.withLock { version in
                guard request.headerFields[.ifMatch] == "\"\(version)\"" else {
                    return .status(.preconditionFailed)
                }
                version += 1
                return .json("{}", headerFields: [.eTag: "\"\(version)\""])
            }
        }
        let client = try TestClient.client(at: server.baseURL)
        let read: Response<Void> = try await client.enqueue(.get("note")).value
        let written: Response<Void> = try await client.enqueue(
            .put("note", body: .json(["by": "ann"]), ifMatch: .version(of: read))
        ).value
        let error = await #expect(throws: ClientError.self) {
            try await client.enqueue(
                .put("note", body: .json(["by": "bob"]), ifMatch: .version(of: read)), as: Void.self
            ).value
        }
        #expect(error?.reason == .preconditionFailed)
        try await client.enqueue(.put("note", ifMatch: .version(of: written)), as: Void.self).value
        #expect(version.withLock(\.self) == 3)
        await server.stop()
    }
}

private struct Removal: Endpoint {
    let path = "x"
    let method = HTTPRequest.Method.delete
    let interceptors: [any Interceptor] = [Precondition.exists]
}

private struct Complaint: Decodable {
    var message: String
}
