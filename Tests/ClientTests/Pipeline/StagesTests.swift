import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Logging
import Testing

/// Validators, processors, serializer, default fields and the log.
@Suite struct StagesTests {
    @Test func `validators run in order, and the first that throws counts`() async throws {
        struct Refused: Error {}
        let seen = Seen<String>()
        let client = try TestClient.client(over: StubTransport(.json("[]", status: .notFound))) {
            $0.validators = [
                Validator { _, _ in seen.note("first") },
                Validator { _, _ in
                    seen.note("second")
                    throw Refused()
                },
                Validator { _, _ in seen.note("third") },
            ]
            $0.processors = [
                ResponseProcessor { response, _ in
                    seen.note("processor")
                    return response
                }
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        await #expect(throws: Refused.self) { try await promise.value }
        #expect(seen.values == ["first", "second"])
    }

    @Test func `a client may accept any status`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[]", status: .notFound))) {
            $0.validators = []
        }
        let response: Response<Void> = try await client.enqueue(Resource("x")).value
        #expect(response.status == .notFound)
    }

    @Test func `a client may accept other statuses`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[]", status: .found))) {
            $0.validators = [.status(200..<400)]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        try await promise.value
    }

    @Test func `processors rewrite what is stored, one after the other`() async throws {
        let client = try TestClient.client(answering: "x[{'id': 1, 'login': 'ann'}]")
        let configuration = client.configuration
        var changed = configuration
        changed.processors = [
            ResponseProcessor { response, _ in
                TransportResponse(head: response.head, body: response.body.dropFirst())
            },
            ResponseProcessor { response, request in
                #expect(request.head.path == "/users")
                let text = String(decoding: response.body, as: UTF8.self)
                return .json(text.replacingOccurrences(of: "'", with: "\""))
            },
        ]
        let processing = Client(
            baseURL: "http://test.invalid/", store: client.store, configuration: changed)
        let users: Many<User> = try await processing.enqueue(Resource("users")).value
        #expect(try users.fetch().map(\.login) == ["ann"])
    }

    @Test func `a serializer finds the JSON in something else`() async throws {
        let client = try TestClient.client(
            over: StubTransport(.json(#"<x>[{"id": 1, "login": "ann"}]</x>"#))
        ) {
            $0.serializer = Unwrapping()
        }
        let users: Many<User> = try await client.enqueue(Resource("users")).value
        #expect(try users.count == 1)
    }

    @Test func `a serializer's refusal stores nothing`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.serializer = Unwrapping()
        }
        let users: Promise<Many<User>> = client.enqueue(Resource("users"))
        await #expect(throws: Unwrapping.NoEnvelope.self) { try await users.value }
    }

    @Test func `the client's fields give way to the endpoint's`() async throws {
        struct Plain: Endpoint {
            let path = "x"
            var headerFields: HTTPFields { [.accept: "text/plain"] }
        }
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.headerFields[.authorization] = "Bearer t"
        }
        let promise: Promise<Void> = client.enqueue(Plain())
        try await promise.value
        let fields = try #require(transport.requests.first?.head.headerFields)
        #expect(fields[values: .accept] == ["text/plain"])
        #expect(fields[.authorization] == "Bearer t")
        #expect(fields[.userAgent] == "Larder")
    }

    @Test(arguments: [
        ("http://other.invalid/", nil), ("//test.invalid:81/", nil), ("https://test.invalid/", nil),
        ("/x", "Bearer t"), ("http://TEST.invalid/x", "Bearer t"),
    ])
    func `secret fields stay with their origin`(_ path: String, _ expected: String?) async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.headerFields[.authorization] = "Bearer t"
        }
        let promise: Promise<Void> = client.enqueue(Resource(path))
        try await promise.value
        let fields = try #require(transport.requests.first?.head.headerFields)
        #expect(fields[.authorization] == expected)
        #expect(fields[.accept] == "application/json")
    }

    @Test func `timeout and limits are the endpoint's, else the client's`() async throws {
        struct Timed: Endpoint {
            let path = "x"
            let timeout: Duration?
        }
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.timeout = .seconds(7)
            $0.limits = TransportLimits(bodyBytes: 99)
        }
        for timeout in [nil, Duration.seconds(3)] {
            let promise: Promise<Void> = client.enqueue(Timed(timeout: timeout))
            try await promise.value
        }
        #expect(transport.requests.map(\.timeout) == [.seconds(7), .seconds(3)])
        #expect(transport.requests.map(\.limits?.bodyBytes) == [99, 99])
    }

    @Test func `a response carries what came with it`() async throws {
        let transport = StubTransport(
            .json("[]", status: .accepted, headerFields: [.eTag: "\"1\""]))
        let client = try TestClient.client(over: transport)
        let response: Response<Many<User>> = try await client.enqueue(Resource("a?b=c")).value
        #expect(response.status == .accepted)
        #expect(response.headerFields[.eTag] == "\"1\"")
        #expect(response.url?.absoluteString == "http://test.invalid/a?b=c")
    }

    @Test func `the log names requests and responses, and no secret`() async throws {
        let lines = Seen<String>()
        let client = try TestClient.client(over: StubTransport(.json("[]", status: .notFound))) {
            $0.headerFields[.authorization] = "Bearer hidden"
            var logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
            logger.logLevel = .debug
            $0.logger = logger
        }
        let promise: Promise<Void> = client.enqueue(Resource("users?token=hidden"))
        _ = await promise.result
        #expect(lines.values.contains { $0.contains("GET http://test.invalid/users?token=…") })
        #expect(lines.values.contains { $0.contains("404") })
        #expect(!lines.values.contains { $0.contains("hidden") })
    }
}

private struct Unwrapping: Serializer {
    struct NoEnvelope: Error {}

    func document(from response: TransportResponse) throws -> JSONDocument {
        let text = String(decoding: response.body, as: UTF8.self)
        guard text.hasPrefix("<x>"), text.hasSuffix("</x>") else { throw NoEnvelope() }
        return try JSONDocument(String(text.dropFirst(3).dropLast(4)))
    }
}

private struct LineHandler: LogHandler {
    let lines: Seen<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.note("\(event.message)")
    }
}
