import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Events over connections that end, by a clock that stands still.
@Suite(.platformTransport) struct ClientEventsTests {
    /// A server that answers one connection after the other from a list, and the requests that it got.
    private final class Setting: Sendable {
        let clock = ManualClock()
        let requests = Seen<String>()
        let server: RawServer
        let client: Client

        init(
            _ answers: [String], _ configure: (inout Client.Configuration) -> Void = { _ in }
        ) throws {
            server = try RawServer { [requests] connection in
                let number = requests.add(try connection.readRequest())
                guard number < answers.count else { return }
                try connection.send(answers[number])
                if answers[number].hasSuffix(Self.silence) { connection.waitForClose() }
            }
            client = try TestClient.client(at: server.baseURL, configure)
        }

        deinit { server.stop() }

        /// A comment, behind which nothing comes.
        static let silence = ": silence\n"

        var reconnection: Reconnection {
            Reconnection(backoff: .constant(.seconds(10)), clock: clock)
        }

        /// Waits for each pause to have begun, and lets it pass.
        func pass(_ pauses: Duration...) async {
            for pause in pauses {
                await clock.sleepers(atLeast: 1)
                clock.advance(by: pause - .milliseconds(1))
                #expect(clock.sleeperCount == 1, "not before \(pause)")
                clock.advance(by: .milliseconds(1))
            }
        }

        /// The values of a field in the requests so far, empty where it has none.
        func values(of field: String) -> [String] {
            requests.values.map { request in
                request.components(separatedBy: "\r\n")
                    .first { $0.lowercased().hasPrefix("\(field.lowercased()): ") }
                    .map { String($0.dropFirst(field.count + 2)) } ?? ""
            }
        }
    }

    private static func events(_ text: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"
            + text
    }

    private static let busy =
        "HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    private static let end = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"

    private static func all(_ stream: ResponseStream<ServerSentEvent>) async throws -> [String] {
        var data: [String] = []
        for try await event in stream { data.append(event.data) }
        return data
    }

    @Test func `each connection begins behind the last event, after the server's time`()
        async throws
    {
        let setting = try Setting([
            Self.events("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n"),
            Self.events("retry: 500\nid: é\ndata: d\n\n"),
            Self.events("data: e\n\n"),
            Self.end,
        ])
        async let data = Self.all(
            setting.client.events(.get("x"), reconnection: setting.reconnection))
        await setting.pass(.seconds(3), .milliseconds(500), .milliseconds(500))
        // The one that was under way when the server hung up comes again, or not, as the server has it.
        #expect(try await data == ["a", "b", "d", "e"])
        #expect(setting.values(of: "Last-Event-ID") == ["", "2", "é", "é"])
        #expect(setting.values(of: "Accept") == Array(repeating: "text/event-stream", count: 4))
        #expect(setting.client.requestsInFlight.isEmpty)
    }

    @Test func `connections that bring nothing are made later and later`() async throws {
        let busy =
            "HTTP/1.1 503 Busy\r\nRetry-After: 30\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        let setting = try Setting([
            Self.events("data: a\n\n"), "", Self.events(": b\n"), busy, Self.events("data: c\n\n"),
            Self.end,
        ])
        async let data = Self.all(
            setting.client.events(.get("x"), reconnection: setting.reconnection))
        await setting.pass(
            .seconds(3), .seconds(10), .seconds(10), .seconds(30), .seconds(3))
        #expect(try await data == ["a", "c"])
    }

    @Test func `a server asks for a day at most`() async throws {
        let setting = try Setting([
            "HTTP/1.1 503 Busy\r\nRetry-After: 1790000000\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            Self.events("data: a\n\n"), Self.end,
        ])
        async let data = Self.all(
            setting.client.events(.get("x"), reconnection: setting.reconnection))
        await setting.pass(.seconds(86_400), .seconds(3))
        #expect(try await data == ["a"])
    }

    @Test func `another origin that a server leads to knows what came last, too`() async throws {
        let setting = try Setting([Self.events("id: 1\ndata: a\n\n"), Self.end])
        let front = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 307 There\r\nLocation: \(setting.server.baseURL)x\r\nConnection: close\r\n"
                    + "Content-Length: 0\r\n\r\n")
        }
        defer { front.stop() }
        let client = try TestClient.client(at: front.baseURL)
        async let data = Self.all(client.events(.get("x"), reconnection: setting.reconnection))
        await setting.pass(.seconds(3))
        #expect(try await data == ["a"])
        #expect(setting.values(of: "Last-Event-ID") == ["", "1"])
    }

    @Test func `attempts may have a bound, behind which their error is thrown`() async throws {
        let setting = try Setting(["", ""])
        var reconnection = setting.reconnection
        reconnection.attempts = 1
        let stream = setting.client.events(.get("x"), reconnection: reconnection)
        let reading = Task { try await Self.all(stream) }
        await setting.pass(.seconds(3))
        let error = await #expect(throws: ClientError.self) { try await reading.value }
        #expect((error?.underlying as? TransportError)?.reason == .connectionLost)
        #expect(setting.requests.count == 2)
    }

    @Test func `without reconnection it ends with its connection`() async throws {
        let setting = try Setting([Self.events("data: a\n\n")])
        #expect(
            try await Self.all(setting.client.events(.get("x"), reconnection: .none)) == ["a"])
    }

    @Test(
        arguments: [(events("data: a\n\n"), ["a"]), ("", nil), (busy, nil)] as [(String, [String]?)]
    )
    func `what must not be sent twice is sent once`(_ answer: String, _ data: [String]?)
        async throws
    {
        for keys in [false, true] {
            let setting = try Setting([answer, Self.end]) {
                $0.interceptors = [RetryInterceptor(attempts: 1, addsIdempotencyKeys: keys)]
            }
            let stream = setting.client.events(.post("x", body: .json(["prompt": "hi"])))
            if let data {
                #expect(try await Self.all(stream) == data)
            } else {
                await #expect(throws: ClientError.self) { try await Self.all(stream) }
            }
            #expect(setting.requests.count == 1)
        }
    }

    private struct Completion: Endpoint {
        let path: String
        var method: HTTPRequest.Method { .post }
        /// Another one each time, as for who sends it once.
        var headerFields: HTTPFields {
            guard let key = HTTPField.Name.idempotencyKey else { return [:] }
            return [key: UUID().uuidString]
        }
    }

    @Test func `a key that would be another one each time is the first one's`() async throws {
        let setting = try Setting([Self.events("retry: 1\ndata: a\n\n"), Self.end])
        #expect(try await Self.all(setting.client.events(Completion(path: "x"))) == ["a"])
        let keys = setting.values(of: "Idempotency-Key")
        #expect(keys.count == 2 && Set(keys).count == 1 && keys.first?.isEmpty == false)
    }

    @Test func `a POST is sent again by rules of its own, or with a key that the server knows`()
        async throws
    {
        let setting = try Setting([
            Self.events("data: a\n\n"), Self.events("data: b\n\n"), Self.end,
        ])
        async let data = Self.all(
            setting.client.events(.post("x"), reconnection: setting.reconnection))
        await setting.pass(.seconds(3), .seconds(3))
        #expect(try await data == ["a", "b"])

        let other = try Setting([Self.events("retry: 1\ndata: a\n\n"), Self.end])
        let key = try #require(HTTPField.Name.idempotencyKey)
        #expect(
            try await Self.all(other.client.events(.post("x", headerFields: [key: "7"]))) == ["a"])
        #expect(other.values(of: "Idempotency-Key") == ["7", "7"])
    }

    @Test(arguments: [
        ("200 OK\r\nContent-Type: text/html", ClientError.Reason.unacceptableContentType),
        ("200 OK\r\nX: y", .unacceptableContentType),
        ("201 Made\r\nContent-Type: text/event-stream", .unacceptableStatus),
        ("404 Gone\r\nContent-Type: text/event-stream", .unacceptableStatus),
    ])
    func `another status or type is an error`(
        _ head: String, _ reason: ClientError.Reason
    ) async throws {
        let setting = try Setting(["HTTP/1.1 \(head)\r\nContent-Length: 9\r\n\r\ndata: a\n\n"])
        let error = await #expect(throws: ClientError.self) {
            _ = try await Self.all(
                setting.client.events(.get("x"), reconnection: setting.reconnection))
        }
        #expect(error?.reason == reason)
    }

    private static let validators: [[Validator]] = [
        [.status([200, 404, 503])], [.status([200])], [],
        [
            Validator { response, _ in
                if response.head.status != .ok { throw CocoaError(.featureUnsupported) }
            }
        ],
    ]

    @Test(arguments: validators)
    func `statuses mean the same, whatever validators make of them`(
        _ validators: [Validator]
    ) async throws {
        let setting = try Setting([
            Self.events("data: a\n\n"),
            "HTTP/1.1 503 Busy\r\nRetry-After: 30\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            Self.events("data: b\n\n"), Self.end,
        ]) { $0.validators = validators }
        async let data = Self.all(
            setting.client.events(.get("x"), reconnection: setting.reconnection))
        await setting.pass(.seconds(3), .seconds(30), .seconds(3))
        #expect(try await data == ["a", "b"])
    }

    @Test func `each connection's response is seen before its events`() async throws {
        let setting = try Setting([
            Self.events("data: a\n\n"), Self.events("data: b\n\n"), Self.end,
        ])
        let seen = Seen<String>()
        let stream = setting.client.events(.get("x"), reconnection: setting.reconnection)
            .onResponse { response in
                let type = response.headerFields[.contentType]
                seen.note("\(response.status.code) \(type ?? "")")
            }
        let reading = Task {
            for try await event in stream { seen.note(event.data) }
        }
        await setting.pass(.seconds(3), .seconds(3))
        try await reading.value
        let head = "200 text/event-stream; charset=utf-8"
        #expect(seen.values == [head, "a", head, "b", "204 "])
    }

    @Test(arguments: [true, false])
    func `events that are there are not given once cancelled`(_ isByTask: Bool) async throws {
        let setting = try Setting([Self.events("data: a\n\ndata: b\n\n")])
        let reading = Task {
            var events = setting.client.events(.get("x"), reconnection: .none)
                .makeAsyncIterator()
            #expect(try await events.next()?.data == "a")
            if isByTask {
                withUnsafeCurrentTask { $0?.cancel() }
            } else {
                setting.client.cancelAll()
            }
            _ = try await events.next()
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func `silence ends a connection, not the stream`() async throws {
        let setting = try Setting([Self.events("id: 1\ndata: a\n\n" + Setting.silence), Self.end]) {
            $0.idleTimeout = .seconds(1)
        }
        async let data = Self.all(
            setting.client.events(.get("x"), reconnection: setting.reconnection))
        await setting.pass(.seconds(3))
        #expect(try await data == ["a"])
        #expect(setting.values(of: "Last-Event-ID") == ["", "1"])
    }

    @Test func `each connection is authorized anew`() async throws {
        let setting = try Setting([
            Self.events("data: a\n\n"),
            "HTTP/1.1 401 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            Self.events("data: b\n\n"), Self.end,
        ]) {
            $0.interceptors = [
                AuthorizationInterceptor(.bearer("1")) { _ in .fulfilled(.bearer("2")) }
            ]
        }
        async let data = Self.all(
            setting.client.events(.get("x"), reconnection: setting.reconnection))
        await setting.pass(.seconds(3), .seconds(3))
        #expect(try await data == ["a", "b"])
        #expect(
            setting.values(of: "Authorization") == ["Bearer 1", "Bearer 1", "Bearer 2", "Bearer 2"])
    }

    @Test func `cancelling ends the wait for the next connection`() async throws {
        let setting = try Setting([Self.events("data: a\n\n")])
        let reading = Task { [setting] in
            try await Self.all(
                setting.client.events(.get("x"), reconnection: setting.reconnection))
        }
        await setting.clock.sleepers(atLeast: 1)
        #expect(setting.client.requestsInFlight.count == 1)
        setting.client.cancelAll()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(setting.clock.sleeperCount == 0)
        #expect(setting.client.requestsInFlight.isEmpty)
    }

    @Test func `an event that is too large is an error behind those before it`() async throws {
        let setting = try Setting([
            Self.events("data: a\n\ndata: \(String(repeating: "b", count: 99))")
        ])
        var events = setting.client.events(
            .get("x"), reconnection: setting.reconnection, maximumEventSize: 50
        ).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        let error = await #expect(throws: ClientError.self) { try await events.next() }
        #expect((error?.underlying as? TransportError)?.reason == .limitExceeded)
    }

    @Test func `data is stored as an entity, or decoded`() async throws {
        let setting = try Setting([
            Self.events("data: {\"id\":1,\ndata: \"login\":\"ann\"}\n\n"),
            Self.events("data: {\"id\":1,\n\n"),
        ])
        let client = setting.client
        var users = client.events(.get("x"), as: User.self, reconnection: .none)
            .makeAsyncIterator()
        #expect(try await users.next() == User(id: 1, login: "ann"))
        #expect(try client.store.fetch(User.all).count == 1)
        var texts = client.events(.get("x"), as: String.self, reconnection: .none)
            .makeAsyncIterator()
        #expect(try await texts.next() == "{\"id\":1,")
    }

    @Test func `values come with their events on request`() async throws {
        let setting = try Setting([
            Self.events(
                "id: 7\nevent: made\ndata: {\"id\":1,\"login\":\"ann\"}\n\n"
                    + "data: {\"id\":2,\"login\":\"ben\"}\n\n"),
            Self.events("id: 8\ndata: [1, 2]\n\n"),
        ])
        let client = setting.client
        var users = client.events(.get("x"), as: EventValue<User>.self, reconnection: .none)
            .makeAsyncIterator()
        let first = try await users.next()
        #expect(first?.value == User(id: 1, login: "ann"))
        #expect(first?.id == "7" && first?.event.event == "made")
        #expect(try client.store.fetch(User.all).count == 1)
        // The id holds until the next one.
        #expect(try await users.next()?.id == "7")
        var numbers = client.events(.get("x"), as: EventValue<[Int]>.self, reconnection: .none)
            .makeAsyncIterator()
        #expect(
            try await numbers.next()
                == EventValue([1, 2], of: ServerSentEvent(id: "8", data: "[1, 2]")))
    }

    @Test func `of several kinds of events those are values whose names are given`() async throws {
        let setting = try Setting([
            Self.events(
                "event: ping\ndata: {}\n\nevent: user\ndata: {\"id\": 1, \"login\": \"ann\"}\n\n"
                    + "data: 7\n\nevent: user\ndata: {\"id\": 2, \"login\": \"bob\"}\n\n"),
            Self.end,
        ])
        let users = setting.client.events(
            .get("x"), as: User.self, named: ["user"], reconnection: setting.reconnection)
        let logins = Task {
            var logins: [String] = []
            for try await user in users { logins.append(user.login) }
            return logins
        }
        await setting.pass(.seconds(3))
        #expect(try await logins.value == ["ann", "bob"])
    }
}
