import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// A promise that is rejected as cancelled has stored nothing, whenever it was cancelled.
@Suite struct ClientCommitTests {
    /// Also where somebody watches it.
    @Test(arguments: Stage.allCases, [false, true])
    func `cancelled at a stage, it is stored and fulfilled, or neither`(
        _ stage: Stage, _ isWatched: Bool
    ) async throws {
        let stop = Stop(at: stage)
        let transport = StubTransport { _ in
            try? await stop.pass(.transport)
            return .json(stop.json)
        }
        let client = try TestClient.client(over: transport) {
            if isWatched { $0.promiseProcessors = [Watcher()] }
            $0.interceptors = [StoppingInterceptor(stop: stop)]
            $0.validators = [Validator { _, _ in try stop.block(.validator) }]
            $0.processors = [
                ResponseProcessor { response, _ in
                    try stop.block(.processor)
                    return response
                }
            ]
            $0.documentReader = StoppingReader(stop: stop)
        }
        let promise: Promise<StoppedUsers> = client.enqueue(Resource("users"))
        try await stop.reached.wait()
        promise.cancel()
        stop.goOn.open()
        let result = await promise.result
        // The next import waits for the one that may be rolled back.
        try await client.store.write { _ in }
        let count = try client.store.count(User.all)
        if stage == .committing {
            #expect(try result.get().count == 1)
            #expect(count == 1)
            #expect(!promise.isCancelled)
        } else {
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(count == 0)
        }
    }

    private struct Watcher: PromiseProcessor {
        func process<Value>(
            _ promise: Promise<Value>, for endpoint: any Endpoint
        ) -> Promise<Value> {
            promise.watch { _ in }
        }
    }

    @Test func `a task that is cancelled during the commit gets what was stored`() async throws {
        let stop = Stop(at: .committing)
        let client = try TestClient.client(answering: stop.json)
        let task = Task {
            let users: StoppedUsers = try await client.enqueue(Resource("users")).value
            return users.count
        }
        try await stop.reached.wait()
        task.cancel()
        stop.goOn.open()
        #expect(try await task.value == 1)
        #expect(try client.store.count(User.all) == 1)
    }

    @Test(arguments: [false, true])
    func `one with progress that is cancelled during the commit is fulfilled`(
        _ isTask: Bool
    ) async throws {
        let stop = Stop(at: .committing)
        let client = try TestClient.client(answering: stop.json)
        let load = client.progress { $0.enqueue(Resource("users"), as: StoppedUsers.self) }
        let task = Task { try await load.promise.value.count }
        try await stop.reached.wait()
        if isTask { task.cancel() } else { load.promise.cancel() }
        stop.goOn.open()
        #expect(try await task.value == 1)
        #expect(try await load.promise.value.count == 1)
        #expect(try client.store.count(User.all) == 1)
    }

    @Test func `cancelled as soon as others see its rows, it is fulfilled`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(
            at: folder.appending(path: "store.sqlite").path, entities: User.self, Article.self,
            Tag.self)
        let transport = StubTransport { request in
            let id = request.head.path?.dropFirst() ?? ""
            return .json(#"[{"id": \#(id), "login": "a"}]"#)
        }
        let client = Client(
            baseURL: "http://test.invalid/", store: store,
            configuration: .init(transport: transport))
        for id in 0..<200 {
            let promise: Promise<Many<User>> = client.enqueue(Resource("\(id)"))
            let isOver = Gate()
            // A thread of its own, as it may have to look often.
            Thread.detachNewThread {
                while promise.isPending {
                    if (try? store.find(User.self, id: id)) != nil { break }
                }
                promise.cancel()
                isOver.open()
            }
            let result = await promise.result
            try await isOver.wait()
            #expect(throws: Never.self) { try result.get() }
            #expect(try store.find(User.self, id: id) != nil)
        }
    }

    @Test func `cancelled at random, what is cancelled is not stored, and the rest is`()
        async throws
    {
        let transport = StubTransport { request in
            let id = request.head.path?.dropFirst() ?? ""
            return .json(#"[{"id": \#(id), "login": "a"}]"#)
        }
        let client = try TestClient.client(over: transport)
        var promises: [Promise<Many<User>>] = []
        for id in 0..<1000 {
            promises.append(client.enqueue(Resource("\(id)")))
            let victim = promises[Int.random(in: max(0, id - 20)...id)]
            switch Int.random(in: 0..<3) {
            case 0: victim.cancel()
            case 1: DispatchQueue.global().async { victim.cancel() }
            default: break
            }
        }
        var stored: Set<Int> = []
        for (id, promise) in promises.enumerated() {
            switch await promise.result {
            case .success: stored.insert(id)
            case .failure(let error): #expect(error is CancellationError)
            }
        }
        try await client.store.write { _ in }
        #expect(try Set(client.store.fetch(User.all).map(\.id)) == stored)
    }
}

enum Stage: CaseIterable {
    case interceptor, transport, validator, processor, documentReader, importing, beforeCommit
    /// Past the point of no return.
    case committing
}

/// Holds a request at one stage.
private final class Stop: Sendable {
    private static let all = Guarded<[String: Stop]>([:])

    let name = UUID().uuidString
    let reached = Gate()
    let goOn = Gate()
    private let stage: Stage

    init(at stage: Stage) {
        self.stage = stage
        Self.all.withLock { $0[name] = self }
    }

    static func named(_ name: String) -> Stop? {
        all.withLock { $0[name] }
    }

    /// A response that knows where it is to be stopped.
    var json: String { #"{"stop": "\#(name)", "users": [{"id": 1, "login": "ann"}]}"# }

    func pass(_ stage: Stage) async throws {
        guard stage == self.stage else { return }
        reached.open()
        try await goOn.wait()
    }

    /// Blocks the import's own thread, none of a pool.
    func block(_ stage: Stage) throws {
        guard stage == self.stage else { return }
        reached.open()
        try goOn.block()
    }
}

private struct StoppingInterceptor: Interceptor {
    let stop: Stop

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        let stop = stop
        return Promise { try? await stop.pass(.interceptor) }.then { () in next(request) }
    }
}

private struct StoppingReader: DocumentReader {
    let stop: Stop

    func document(from response: TransportResponse) throws -> JSONDocument {
        try stop.block(.documentReader)
        return try JSONDocument(response.body)
    }
}

/// Users whose import is held where their response says.
private struct StoppedUsers: Importable {
    let count: Int

    static func `import`(from value: JSONValue, in context: Context) throws -> StoppedUsers {
        guard let stop = Stop.named(value["stop"]?.string ?? ""), let json = value["users"] else {
            throw CancellationError()
        }
        let users = try Many<User>.import(from: json, in: context)
        try stop.block(.importing)
        let commit = context.willCommit
        context.willCommit = {
            try stop.block(.beforeCommit)
            try commit()
            try stop.block(.committing)
        }
        return StoppedUsers(count: try users.count)
    }
}
