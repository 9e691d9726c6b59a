import Dispatch
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Validators, processors, document reader and default fields.
@Suite(.platformTransport) struct DeliveryTests {
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
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(seen.values == ["first", "second"])
        #expect(error?.reason == .refused)
        #expect(error?.underlying is Refused)
        #expect(error?.status == .notFound)
        #expect(error?.body == Data("[]".utf8))
        #expect(error?.url == "http://test.invalid/x")
    }

    @Test func `a slow validator or processor holds up nothing else`() async throws {
        for isValidator in [true, false] {
            let others = Gate()
            let client = try TestClient.client(over: StubTransport(.json("[]"))) {
                if isValidator {
                    $0.validators = [
                        Validator { _, request in
                            if request.head.path == "/slow" { try others.block() }
                        }
                    ]
                } else {
                    $0.processors = [
                        ResponseProcessor { response, request in
                            if request.head.path == "/slow" { try others.block() }
                            return response
                        }
                    ]
                }
            }
            let slow = client.enqueue(Resource("slow"), as: Many<User>.self)
            _ = try await client.enqueue(Resource("fast"), as: Many<User>.self).value
            others.open()
            _ = try await slow.value
        }
    }

    @Test func `many slow validators and processors hold up nothing else`() async throws {
        let count = Client.maximumDeliveries - 1
        for isValidator in [true, false] {
            let (others, all) = (Gate(), Gate())
            let begun = Seen<Void>()
            let block: @Sendable (TransportRequest) throws -> Void = { request in
                guard request.head.path == "/slow" else { return }
                begun.note(())
                if begun.count == count { all.open() }
                try others.block()
            }
            let transport = StubTransport(.json("[]"))
            let client = try TestClient.client(over: transport) {
                if isValidator {
                    $0.validators = [Validator { try block($1) }]
                } else {
                    $0.processors = [
                        ResponseProcessor {
                            try block($1)
                            return $0
                        }
                    ]
                }
            }
            let slow = (0..<count).map { _ in client.enqueue(Resource("slow"), as: [User].self) }
            try await all.wait()
            _ = try await client.enqueue(Resource("fast"), as: [User].self).value
            _ = try await TestClient.client(over: transport)
                .enqueue(Resource("fast"), as: Many<User>.self).value
            // Some of these wait for their turn.
            let late = (0..<count).map { _ in client.enqueue(Resource("slow"), as: [User].self) }
            // Who gives up doesn't wait for it.
            let cancelled = client.enqueue(Resource("slow"), as: [User].self)
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            others.open()
            for promise in slow + late { _ = try await promise.value }
        }
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

    @Test func `a processor of JSON gets a document and hands on another`() async throws {
        let transport = StubTransport(.json(#"{"data": {"items": [{"id": 1, "login": "ann"}]}}"#))
        func unwrapping(_ name: String) -> ResponseProcessor {
            .json { document, request in
                #expect(request.head.path == "/x")
                let part = try #require(document.root.value(at: name))
                return try JSONDocument(part.source)
            }
        }
        let client = try TestClient.client(over: transport) {
            $0.processors = [unwrapping("data"), unwrapping("items")]
        }
        let users: [User] = try await client.enqueue(.get("x")).value
        #expect(users.map(\.login) == ["ann"])
        #expect(try client.store.count(User.all) == 1)
    }

    @Test func `a processor of JSON leaves what is empty alone, and refuses what is none`()
        async throws
    {
        let answers = [TransportResponse.json("", status: .noContent), .json("<html>")]
        let index = Seen<Int>()
        let transport = StubTransport { _ in answers[index.add(0)] }
        let client = try TestClient.client(over: transport) {
            $0.processors = [.json { document, _ in document }]
        }
        try await client.enqueue(.get("x"), as: Void.self).value
        let promise: Promise<[User]> = client.enqueue(.get("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .malformedJSON)
        #expect(error?.underlying is JSONError)
    }

    @Test(arguments: [
        "image/png", "text/html", nil, "image/png; name=\"a.json\"", "application/x-ndjson",
        "application/json-seq",
    ])
    func `a processor of JSON passes on what is none and does not claim to be`(
        _ type: String?
    ) async throws {
        var response = TransportResponse.json("<html>")
        response.head.headerFields[.contentType] = type
        let client = try TestClient.client(over: StubTransport(response)) {
            $0.processors = [.json { _, _ in try JSONDocument("[]") }]
        }
        #expect(try await client.enqueue(.get("x"), as: Data.self).value == Data("<html>".utf8))
        #expect(try await client.enqueue(.get("x"), as: String.self).value == "<html>")
        let promise: Promise<[User]> = client.enqueue(.get("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .malformedJSON)
    }

    @Test func `a processor of JSON rewrites what is some, whatever it claims to be`() async throws
    {
        var response = TransportResponse.json(#"{"data": [1]}"#)
        response.head.headerFields[.contentType] = "text/plain"
        let client = try TestClient.client(over: StubTransport(response)) {
            $0.processors = [
                .json { document, _ in
                    try JSONDocument(try #require(document.root.value(at: "data")).source)
                }
            ]
        }
        #expect(try await client.enqueue(.get("x"), as: [Int].self).value == [1])
    }

    @Test func `what a processor of JSON does not make of it is its own error`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.processors = [.json { _, _ in try JSONDocument("<") }]
        }
        let promise = client.enqueue(.get("x"), as: [Int].self)
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .unprocessed)
        #expect(error?.underlying is JSONError)
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

    @Test func `a document reader finds the JSON in something else`() async throws {
        let client = try TestClient.client(
            over: StubTransport(.json(#"<x>[{"id": 1, "login": "ann"}]</x>"#))
        ) {
            $0.documentReader = Unwrapping()
        }
        let users: Many<User> = try await client.enqueue(Resource("users")).value
        #expect(try users.count == 1)
    }

    @Test func `a document reader's refusal stores nothing`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.documentReader = Unwrapping()
        }
        let users: Promise<Many<User>> = client.enqueue(Resource("users"))
        let error = await #expect(throws: ClientError.self) { try await users.value }
        #expect(error?.reason == .unprocessed)
        #expect(error?.underlying is Unwrapping.NoEnvelope)
        #expect(error?.body == Data("[]".utf8))
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `a processor's own error comes with the response`() async throws {
        struct Broken: Error {}
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.processors = [ResponseProcessor { _, _ in throw Broken() }]
        }
        let users: Promise<Many<User>> = client.enqueue(Resource("users"))
        let error = await #expect(throws: ClientError.self) { try await users.value }
        #expect(error?.reason == .unprocessed)
        #expect(error?.underlying is Broken)
        #expect(error?.status == .ok)
    }

    @Test(arguments: [("application/json", false), ("text/html", true)])
    func `without a value, a document reader is asked for what claims to be JSON`(
        _ type: String, _ succeeds: Bool
    ) async throws {
        let response = StubTransport(.json("[]", headerFields: [.contentType: type]))
        let client = try TestClient.client(over: response) { $0.documentReader = Unwrapping() }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        switch await promise.result {
        case .success: #expect(succeeds)
        case .failure(let error as ClientError):
            #expect(!succeeds)
            #expect(error.underlying is Unwrapping.NoEnvelope)
        case .failure(let error): Issue.record("\(error)")
        }
    }

    @Test func `decoding follows the client's options`() async throws {
        struct Pair: Decodable, Equatable {
            var firstName: String
        }
        let json = #"{"first_name": "Ann"}"#
        let client = try TestClient.client(over: StubTransport(.json(json))) {
            $0.decodingOptions.keys = .convertFromSnakeCase
        }
        let pair: Pair = try await client.enqueue(Resource("x")).value
        #expect(pair == Pair(firstName: "Ann"))
        let usual: Promise<Pair> = try TestClient.client(answering: json).enqueue(Resource("x"))
        await #expect(throws: ClientError.self) { try await usual.value }
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
    func `the client's fields stay with their origin, but for those that may be shared`(
        _ path: String, _ expected: String?
    ) async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.headerFields[.authorization] = "Bearer t"
            $0.headerFields[.named("X-Api-Key")] = "Bearer t"
            $0.headerFields[.named("X-Tenant")] = "Bearer t"
            $0.headerFields[.named("X-Public")] = "yes"
            $0.sharedHeaderFields.insert(.named("X-Public"))
        }
        let promise: Promise<Void> = client.enqueue(.get(URLPath(stringLiteral: path)))
        try await promise.value
        let fields = try #require(transport.requests.first?.head.headerFields)
        #expect(fields[.authorization] == expected)
        #expect(fields[.named("X-Api-Key")] == expected)
        #expect(fields[.named("X-Tenant")] == expected)
        #expect(fields[.named("X-Public")] == "yes")
        #expect(fields[.accept] == "application/json")
        #expect(fields[.userAgent] == "Larder")
    }

    @Test func `timeout and limits are the endpoint's, else the client's`() async throws {
        struct Timed: Endpoint {
            let path = "x"
            let timeout: Duration?
        }
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.timeout = .seconds(7)
            $0.limits = TransportLimits(maximumBodySize: 99)
        }
        for timeout in [nil, Duration.seconds(3)] {
            let promise: Promise<Void> = client.enqueue(Timed(timeout: timeout))
            try await promise.value
        }
        #expect(transport.requests.map(\.timeout) == [.seconds(7), .seconds(3)])
        #expect(transport.requests.map(\.limits?.maximumBodySize) == [99, 99])
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
}

private struct Unwrapping: DocumentReader {
    struct NoEnvelope: Error {}

    func document(from response: TransportResponse) throws -> JSONDocument {
        let text = String(decoding: response.body, as: UTF8.self)
        guard text.hasPrefix("<x>"), text.hasSuffix("</x>") else { throw NoEnvelope() }
        return try JSONDocument(String(text.dropFirst(3).dropLast(4)))
    }
}
