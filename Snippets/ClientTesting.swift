// Tests of what an app does with a client, without the network.

import Foundation
import Larder
import LarderTesting

@Entity struct Note {
    @Identity var id: Int
    var title: String
}

// snippet.client
func client(over transport: any Transport) throws -> Client {
    var configuration = Client.Configuration()
    configuration.transport = transport
    return Client(
        baseURL: "https://api.test/", store: try Store.inMemory(entities: Note.self),
        configuration: configuration)
}
// snippet.end

func stub() async throws {
    // snippet.stub
    let transport = StubTransport { request in
        switch (request.head.method, request.head.path) {
        case (.get, "/notes"): .json(#"[{"id": 1, "title": "Dunes"}]"#)
        case (.post, "/notes"): .json(#"{"id": 2, "title": "Tides"}"#, status: .created)
        case (.get, "/slow"): throw TransportError(.timedOut, "It takes too long.")
        default: .json(#"{"title": "no such thing"}"#, status: .notFound)
        }
    }
    let client = try client(over: transport)

    let notes = try await client.enqueue(.get("notes"), as: [Note].self).value
    try await client.enqueue(.post("notes", body: .json(["title": "Tides"]))).value
    print(notes.count, transport.requests.map { $0.head.path ?? "" })
    // snippet.end
}

func routes() async throws {
    // snippet.routes
    let transport = StubTransport(routes: [
        .get("notes", query: ["page": "2"], .json("[]")),
        .get("notes/*", .json(#"{"id": 7, "title": "Dunes"}"#)),
        .post("notes", .status(503), .json(#"{"id": 8, "title": "Tides"}"#, status: .created)),
        .delete("**", .failure(.connectionLost)),
    ])
    let note = try await client(over: transport).enqueue(.get("notes/7"), as: Note.self).value
    // snippet.end
    print(note.title)
}

// snippet.fixtures
/// Answers `GET /notes/1` with the file `notes.1.json`.
func fixtures(in folder: URL) -> StubTransport {
    StubTransport { request in
        let path = request.head.path?.prefix { $0 != "?" } ?? ""
        let name = path.split(separator: "/").joined(separator: ".") + ".json"
        let content = try Data(contentsOf: folder.appending(path: name))
        return TransportResponse(head: HTTPResponse(status: .ok), body: content)
    }
}
// snippet.end

// snippet.mock
/// Answers some endpoints by their types, and sends the others on.
struct Mock: Interceptor {
    let answers: [String: String]

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        guard let answer = answers["\(type(of: endpoint))"] else { return next(request) }
        return .fulfilled(.json(answer))
    }
}
// snippet.end

func gate() async throws {
    // snippet.gate
    let arrived = Gate()
    let answer = Gate()
    let transport = StubTransport { _ in
        arrived.open()
        try await answer.wait()
        return .json("[]")
    }
    let notes = try client(over: transport).enqueue(.get("notes"), as: [Note].self)

    try await arrived.wait()
    notes.cancel()
    print(await notes.result, transport.cancellationCount)  // failure(Swift.CancellationError()) 1
    // snippet.end
}

func time() async throws {
    // snippet.time
    let clock = ManualClock()
    let transport = StubTransport { _ in .json("{}", status: .serviceUnavailable) }
    let client = try client(over: transport).configured {
        $0.interceptors = [
            RetryInterceptor(attempts: 2, backoff: .constant(.seconds(5)), clock: clock)
        ]
    }

    let request = client.enqueue(.get("notes"))
    await clock.sleepers(atLeast: 1)  // it waits for its second attempt
    clock.advance(by: .seconds(5))
    print(await request.result, transport.requests.count)
    // snippet.end
}

func timeout() async throws {
    // snippet.timeout
    let clock = ManualClock()
    let never = Gate()
    let transport = StubTransport(clock: clock) { _ in
        try await never.wait()
        return .json("[]")
    }
    let request = try client(over: transport).enqueue(.get("notes", timeout: .seconds(10)))

    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    print(await request.result)  // the exchange took longer
    // snippet.end
}

func loopback() async throws {
    // snippet.loopback
    let server = try await LoopbackServer()
    server.route(.get, "/notes/:id") { request in
        .json(#"{"id": \#(request.parameters["id"] ?? "0"), "title": "Dunes"}"#)
    }
    server.route(.delete, "/notes/*", .status(.noContent))

    let client = Client(
        baseURL: server.baseURL, store: try Store.inMemory(entities: Note.self))
    let note = try await client.enqueue(.get("notes/7"), as: Note.self).value
    try await client.enqueue(.delete("notes/7")).value
    print(note.id, server.requests.map(\.method))
    await server.stop()
    // snippet.end
}

func raw() async throws {
    // snippet.raw
    let server = try RawServer { connection in
        _ = try connection.readRequest()
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[")
    }
    let client = Client(
        baseURL: server.baseURL, store: try Store.inMemory(entities: Note.self))
    print(await client.enqueue(.get("notes"), as: [Note].self).result)  // the rest is missing
    server.stop()
    // snippet.end
}

func recording(_ real: any Transport, in file: URL) async throws {
    // snippet.recording
    // Once, against the real server …
    let recorder = RecordingTransport(through: real)
    _ = try await client(over: recorder).enqueue(.get("notes"), as: [Note].self).value
    try recorder.recording.write(to: file)

    // … and in each test without it.
    let player = StubTransport(playing: try Recording(contentsOf: file))
    let notes = try await client(over: player).enqueue(.get("notes"), as: [Note].self).value
    // snippet.end
    print(notes.count)
}

// snippet.own
/// What the app's own code asks for, so that a test can give it something else.
protocol NoteSource: Sendable {
    func notes() -> Promise<[Note]>
}

struct NoteAPI: NoteSource {
    let client: Client

    func notes() -> Promise<[Note]> { client.enqueue(.get("notes")) }
}

struct NoNotes: NoteSource {
    func notes() -> Promise<[Note]> { .fulfilled([]) }
}
// snippet.end

// snippet.hide
try await stub()
try await routes()
try await gate()
try await time()
try await timeout()
