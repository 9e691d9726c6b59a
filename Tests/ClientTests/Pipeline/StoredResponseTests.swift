import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Synchronization
import Testing

@testable import LarderClient
@testable import LarderObjectStore

struct StoredResponseTests {
    @Test func `a client goes with its last user, and what it has stored with it`() async throws {
        weak var weakStore: Store?
        weak var weakClient: Client?
        weak var line: ImportLine?
        do {
            let client = try TestClient.client(answering: #"[{"id": 1, "login": "a"}]"#)
            (weakStore, weakClient, line) = (client.store, client, client.importLine)
            let promises: [Promise<Many<User>>] = (0..<10).map { client.enqueue(Resource("\($0)")) }
            for promise in promises { _ = try await promise.value }
        }
        for _ in 0..<6_000 where line != nil || weakStore != nil {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(weakClient == nil)
        #expect(line == nil)
        #expect(weakStore == nil)
    }

    @Test func `what has been stored keeps no responses`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "a"}]"#)
        final class Token: Sendable {}
        struct Tokened: Endpoint { let path = "a"; let token: Token }
        weak var weakToken: Token?
        do {
            let token = Token()
            weakToken = token
            let promise: Promise<Many<User>> = client.enqueue(Tokened(token: token))
            _ = try await promise.value
        }
        for _ in 0..<6_000 where weakToken != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(weakToken == nil)
    }

    struct Failing: MappedWrapper {
        var user: User?
        init() {}
        mutating func map(_ map: WrapperMap) throws {
            try map.read(&user, at: "user")
            throw Oops()
        }
    }
    struct Oops: Error {}

    enum Kind: CaseIterable { case good, unfit, failing, cancelled, malformed, notFound }

    @Test(arguments: 0..<20) func `at random, each is as it were alone`(_ seed: Int) async throws {
        var random = SplitMix(seed: UInt64(seed))
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(
            at: folder.appending(path: "store.sqlite").path, entities: User.self, Article.self,
            Tag.self)
        let transport = StubTransport { request in
            let id = request.head.path?.split(separator: "/").last ?? ""
            let kind = request.head.path?.split(separator: "/").first ?? ""
            switch kind {
            case "unfit":
                return .json(#"[{"id": 9\#(id), "login": "x"}, {"id": \#(id), "login": 7}]"#)
            case "failing": return .json(#"{"user": {"id": \#(id), "login": "a"}}"#)
            case "malformed": return .json(#"[{"id": \#(id), "login": "a"}"#)
            default: return .json(#"[{"id": \#(id), "login": "a"}]"#)
            }
        }
        let clients = (0..<2).map { _ in
            Client(
                baseURL: "http://test.invalid/", store: store,
                configuration: .init(transport: transport))
        }
        let handled = Mutex<[Int: Int]>([:])
        // Holds the writer now and then so that many come together.
        let holder = Task.detached {
            for _ in 0..<20 { _ = try? store.write { _ in usleep(2000) } }
        }
        var many: [(Int, Kind, Promise<Many<User>>)] = []
        var failing: [(Int, Promise<Failing>)] = []
        for id in 1...150 {
            let client = clients.randomElement(using: &random)!
            let kind = Kind.allCases.randomElement(using: &random)!
            switch kind {
            case .failing: failing.append((id, client.enqueue(Resource("failing/\(id)"))))
            default:
                let promise: Promise<Many<User>> = client.enqueue(Resource("\(kind)/\(id)"))
                many.append((id, kind, promise))
                promise.then { _ in handled.withLock { $0[id, default: 0] += 1 } }
                    .catch { _ in handled.withLock { $0[id, default: 0] += 1 } }
                guard kind == .cancelled else { continue }
                if Bool.random(using: &random) { usleep(200) }
                promise.cancel()
            }
        }
        var expected: Set<Int> = []
        for (_, promise) in failing {
            guard case .failure(let error) = await promise.result else {
                Issue.record("stored")
                continue
            }
            #expect((error as? ClientError)?.underlying is Oops, "\(error)")
        }
        for (id, kind, promise) in many {
            switch await promise.result {
            case .success(let users):
                expected.insert(id)
                #expect(try users.fetch().map(\.id) == [id])
                #expect([.good, .notFound, .cancelled].contains(kind))
            case .failure(let error):
                #expect([.unfit, .malformed, .cancelled].contains(kind))
                #expect((kind == .cancelled) == (error is CancellationError))
            }
        }
        await holder.value
        try await store.write { _ in }
        #expect(try Set(store.fetch(User.all).map(\.id)) == expected)
        #expect(try store.checkIntegrity().isSound)
    }
}
