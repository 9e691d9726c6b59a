#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// The transport's thread stores and runs handlers itself where it has nothing else to do, and is relieved where
/// that takes long.
@Suite struct CurlReliefTests {
    private static let name = "larder.relief"

    /// Answers each request with the user whose number its path ends in.
    @Sendable private static func answer(_ connection: RawServer.Connection) throws {
        try answer(connection) { _ in }
    }

    /// - Parameter prepare: Called with each number before it is answered.
    private static func answer(
        _ connection: RawServer.Connection, _ prepare: (_ id: Substring) throws -> Void
    ) throws {
        while true {
            let line = try connection.readRequest().split(separator: " ")
            let id = line[1].split(separator: "/").last ?? "0"
            let body = #"{"id": \#(id), "login": "u\#(id)"}"#
            try prepare(id)
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }

    private static func client(_ server: RawServer) throws -> Client {
        let transport = CurlTransport(configuration: .init(threadName: name))
        return try TestClient.client(over: transport, at: server.baseURL.absoluteString)
    }

    private static var isOnTransport: Bool { isOn(name) }

    private static func isOn(_ thread: String) -> Bool {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) == thread
    }

    /// Runs a body in a handler on the transport's thread, which is one of the first few that there are.
    private static func inHandler(
        of client: Client, _ body: @escaping @Sendable () throws -> Void
    ) async throws {
        for attempt in 1...1_000 {
            let promise: Promise<User> = client.enqueue(Resource("users/\(attempt)"))
            let wasThere = promise.then { (_: User) -> Bool in
                guard isOnTransport else { return false }
                try body()
                return true
            }
            if try await wasThere.value { return }
        }
        Issue.record("no handler ran on the transport's thread")
    }

    @Test func `a handler runs on the thread that has stored, where nothing else is under way`()
        async throws
    {
        let server = try RawServer(Self.answer)
        defer { server.stop() }
        let client = try Self.client(server)
        try await Self.inHandler(of: client) {}
        #expect(try client.store.count(User.all) > 0)
    }

    @Test func `what a handler has enqueued and waits for is sent all the same`() async throws {
        let server = try RawServer(Self.answer)
        defer { server.stop() }
        let client = try Self.client(server)
        try await Self.inHandler(of: client) {
            let ended = DispatchSemaphore(value: 0)
            let promise: Promise<User> = client.enqueue(Resource("users/5000"))
            promise.finally(on: .immediate) { ended.signal() }
            #expect(ended.wait(timeout: .now() + 600) == .success)
        }
        #expect(try client.store.find(User.self, id: 5000)?.login == "u5000")
    }

    @Test func `what others enqueue is sent while a handler takes its time`() async throws {
        let server = try RawServer(Self.answer)
        defer { server.stop() }
        let client = try Self.client(server)
        let (begun, ended) = (Gate(), Gate())
        async let held: Void = Self.inHandler(of: client) {
            begun.open()
            try ended.block()
        }
        try await begun.wait()
        for id in 7000..<7020 {
            let promise: Promise<User> = client.enqueue(Resource("users/\(id)"))
            let stored = Gate()
            promise.finally(on: .immediate) { stored.open() }
            try await stored.wait()
        }
        #expect(try client.store.count(User.where { $0.id >= 7000 }) == 20)
        ended.open()
        try await held
    }

    @Test func `where both threads are held, what is left is not`() async throws {
        let (begun, ended, isAttached) = (Gate(), Gate(), Gate())
        let server = try RawServer { connection in
            // Else the second handler might run here, and hold this test.
            try Self.answer(connection) { if $0 == "8000" { try isAttached.block() } }
        }
        defer { server.stop() }
        let client = try Self.client(server)
        async let held: Void = Self.inHandler(of: client) {
            begun.open()
            try ended.block()
        }
        try await begun.wait()
        let second = Gate()
        let holding: Promise<User> = client.enqueue(Resource("users/8000"))
        holding.finally(on: .immediate) {
            second.open()
            try? ended.block()
        }
        isAttached.open()
        try await second.wait()
        let other = try Self.client(server).configured {
            $0.transport = client.configuration.transport
        }
        for id in 9000..<9010 {
            #expect(
                try await (other.enqueue(Resource("users/\(id)")) as Promise<Data>).value.count > 0)
        }
        ended.open()
        try await held
    }

    @Test func `a handler may wait for the response that another client has to the same request`()
        async throws
    {
        let bothAsked = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            while true {
                _ = try connection.readRequest()
                bothAsked.wait()
                let body = #"{"id": 1, "login": "u1"}"#
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        defer { server.stop() }
        // Not that of the others, whose transports may be running this one's handlers.
        let name = "larder.joined"
        var configuration = Client.Configuration(
            transport: CurlTransport(configuration: .init(threadName: name)))
        configuration.coalescing = .joining
        let clients = try (0..<2).map { _ in
            Client(
                baseURL: server.baseURL.absoluteString, store: try TestClient.store(),
                configuration: configuration)
        }
        var wasThere = false
        for _ in 1...1_000 where !wasThere {
            let isStored = Gate()
            let first: Promise<User> = clients[0].enqueue(Resource("users/1"))
            let second: Promise<User> = clients[1].enqueue(Resource("users/1"))
            second.finally(on: .immediate) { isStored.open() }
            let handled = first.then { (_: User) -> Bool in
                try isStored.block(atMost: .seconds(60))
                return Self.isOn(name)
            }
            for _ in clients { bothAsked.signal() }
            wasThere = try await handled.value
        }
        #expect(wasThere)
    }

    @Test func `a handler's writes may end the process, or be told that nobody reads them`()
        async throws
    {
        let server = try RawServer(Self.answer)
        defer { server.stop() }
        try await Self.inHandler(of: try Self.client(server)) {
            var signals = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &signals)
            #expect(sigismember(&signals, SIGPIPE) == 0)
        }
    }

    @Test func `connections are closed though work goes on that was left to a thread`() async throws
    {
        let (begun, closed, gone, ended) = (Gate(), Gate(), Gate(), Gate())
        let server = try RawServer { connection in
            defer { closed.open() }
            try Self.answer(connection)
        }
        defer { server.stop() }
        var transport: CurlTransport? = CurlTransport(configuration: .init(threadName: Self.name))
        var isHeld = false
        while !isHeld {
            let left = Gate()
            let wasThere = Seen<Bool>()
            transport?.send(TransportRequest.to(server.baseURL)) { _ in
                let isLeft = IdleTurn.leave {
                    wasThere.note(Self.isOnTransport)
                    left.open()
                    guard Self.isOnTransport else { return }
                    begun.open()
                    try? gone.block()
                    ended.open()
                }
                #expect(isLeft)
            }
            try await left.wait()
            isHeld = wasThere.values == [true]
        }
        try await begun.wait()
        transport = nil
        try await closed.wait()
        gone.open()
        try await ended.wait()
    }

    /// Requests that follow each other, some of whose handlers hold their thread until another request has ended,
    /// which they have enqueued themselves or which another thread has, while others are cancelled.
    @Test(arguments: 1...12)
    func `whatever handlers wait for, each request ends once and is stored as it ended`(
        _ seed: UInt64
    ) async throws {
        let server = try RawServer(Self.answer)
        defer { server.stop() }
        let client = try Self.client(server)
        let ends = Seen<(id: Int, isStored: Bool)>()
        let lines = 1 + Int(seed % 3)
        await withTaskGroup { group in
            for line in 0..<lines {
                group.addTask {
                    var generator = SplitMix(seed: seed &* 31 &+ UInt64(line))
                    for step in 0..<60 {
                        let id = (line * 100 + step) * 2
                        let kind = Int.random(in: 0..<6, using: &generator)
                        await Self.request(id, kind, client, ends)
                    }
                }
            }
        }
        let all = ends.values
        #expect(Set(all.map(\.id)).count == all.count)
        let stored = Set(try client.store.fetch(User.all).map(\.id))
        #expect(stored == Set(all.filter(\.isStored).map(\.id)))
    }

    private static func request(
        _ id: Int, _ kind: Int, _ client: Client, _ ends: Seen<(id: Int, isStored: Bool)>
    ) async {
        let promise: Promise<User> = client.enqueue(Resource("users/\(id)"))
        let handled = promise.then { (_: User) -> Void in
            guard kind <= 2 else { return }
            let ended = DispatchSemaphore(value: 0)
            let send: @Sendable () -> Void = {
                let inner: Promise<User> = client.enqueue(Resource("users/\(id + 1)"))
                inner.finally(on: .immediate) {
                    ends.note((id + 1, true))
                    ended.signal()
                }
            }
            if id % 4 == 0 { send() } else { Thread.detachNewThread(send) }
            #expect(ended.wait(timeout: .now() + 600) == .success)
        }
        if kind == 3 { promise.cancel() }
        if kind == 4 { Thread.detachNewThread { promise.cancel() } }
        do {
            try await handled.value
            ends.note((id, true))
        } catch {
            #expect(error is CancellationError)
            ends.note((id, false))
        }
    }
}
#endif
