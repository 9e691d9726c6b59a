import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Responses in a store's file.
@Suite struct StoredResponsesTests {
    private let clock = WallClock(.now)
    private let store: Store
    private let path: String

    init() throws {
        store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        path = try #require(store.path)
    }

    private func responses(
        limits: ResponseCache.Limits = .init(), in other: Store? = nil
    ) -> StoredResponses {
        StoredResponses(in: other ?? store, at: path, limits: limits) { [clock] in clock.now }
    }

    private static func response(
        _ body: Data, useless: Date? = nil, fields: HTTPFields = [.eTag: "\"1\""],
        variant: [String: [UInt8]?] = ["foo": [1, 2], "bar": nil]
    ) -> CachedResponse {
        CachedResponse(
            head: HTTPResponse(status: .ok, headerFields: fields), body: body,
            part: .init(first: 2, total: 9), requested: Date(timeIntervalSince1970: 1),
            received: Date(timeIntervalSince1970: 2), uselessAfter: useless,
            variant: variant)
    }

    private static let key = MemoryResponsesTests.key("a")

    private var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path + "-responses")) ?? []
    }

    @Test(arguments: [0, 10, 70_000, 3_000_000])
    func `all of a response comes back, whatever its size`(_ count: Int) throws {
        let responses = responses()
        #expect(try responses.responses(for: Self.key).isEmpty)
        let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let useless = Date(timeIntervalSince1970: 4_000_000_000)
        try responses.keep(
            Self.response(body, useless: useless), for: Self.key, replacing: [])
        let back = try #require(self.responses().responses(for: Self.key).first)
        let given = Self.response(body, useless: useless)
        #expect(back.head == given.head && back.body == body && back.part == given.part)
        #expect(back.variant == given.variant && back.uselessAfter == useless)
        #expect(back.requested == given.requested && back.received == given.received)
        #expect(files.count == (count > 64 << 10 ? 1 : 0))
        try responses.keep(Self.response(Data()), for: Self.key, replacing: [back.id])
        #expect(try responses.responses(for: Self.key).map(\.bodyCount) == [0])
        #expect(files.isEmpty, "its file goes with it")
    }

    @Test func `of one variant there is one, whoever came first`() throws {
        let responses = responses()
        for count in 1...3 {
            for variant: [String: [UInt8]?] in [[:], ["foo": nil], ["foo": [1]]] {
                let response = Self.response(Data(count: count), variant: variant)
                try responses.keep(response, for: Self.key, replacing: [])
            }
        }
        #expect(try responses.responses(for: Self.key).map(\.bodyCount) == [3, 3, 3])
    }

    @Test func `of variants there is a bounded number, those that were used last`() throws {
        let responses = responses()
        for number in 0..<40 {
            let variant: [String: [UInt8]?] = ["foo": [UInt8(number)]]
            try responses.keep(
                Self.response(Data(count: number), variant: variant), for: Self.key, replacing: [])
            clock.pass(1)
        }
        let counts = try responses.responses(for: Self.key).map(\.bodyCount)
        #expect(counts.sorted() == Array(40 - ResponseCache.mostVariants..<40))
    }

    @Test func `a number that another has by now is not that one's`() throws {
        let (responses, other) = (responses(), MemoryResponsesTests.key("b"))
        try responses.keep(Self.response(Data(count: 100_000)), for: Self.key, replacing: [])
        let old = try #require(responses.responses(for: Self.key).first)
        // Found without its file by somebody who reads it while it goes.
        let name = try #require(files.first)
        try FileManager.default.removeItem(atPath: path + "-responses/" + name)
        #expect(try responses.responses(for: Self.key).isEmpty && responses.isDamaged)
        try self.responses().remove([old.id], of: Self.key)
        try self.responses().keep(Self.response(Data([1])), for: other, replacing: [])
        #expect(try self.responses().responses(for: other).map(\.id) == [old.id])
        try responses.removeDamaged()
        try responses.remove([old.id], of: Self.key)
        try responses.keep(Self.response(Data([2])), for: Self.key, replacing: [old.id])
        #expect(try responses.responses(for: other).map(\.body) == [Data([1])])
    }

    @Test func `in which ways one has been stored goes with it`() throws {
        let responses = responses()
        try responses.keep(Self.response(Data([1])), for: Self.key, replacing: [])
        let kept = try #require(responses.responses(for: Self.key).first)
        for way: Int64 in [.min, 7, 7] {
            try responses.note(way, of: kept.version, for: Self.key)
        }
        let noted = try #require(self.responses().responses(for: Self.key).first)
        #expect(noted.imports == [.min, 7] && noted.body == Data([1]))
        try responses.keep(Self.response(Data([2])), for: Self.key, replacing: [kept.id])
        #expect(try responses.responses(for: Self.key).map(\.imports) == [[]])
        // What has gone meanwhile is not noted.
        try responses.removeAll(from: nil)
        try responses.note(8, of: kept.version, for: Self.key)
        let rows = try store.readBeside { try $0.rows("SELECT * FROM \"$side.responses.imports\"") }
        #expect(rows.isEmpty)
    }

    @Test func `files are their owner's alone`() throws {
        try responses().keep(Self.response(Data(count: 100_000)), for: Self.key, replacing: [])
        let folder = path + "-responses"
        for (path, mode) in [(folder, 0o700), (folder + "/" + (files.first ?? ""), 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? Int) == mode)
        }
    }

    @Test(arguments: ["head", "body", "sum", "count", "received"])
    func `what is damaged is nothing, and goes`(_ column: String) throws {
        let responses = responses()
        try responses.keep(Self.response(Data("abc".utf8)), for: Self.key, replacing: [])
        let value: SQLValue =
            switch column {
            case "head": .blob(Array("200 \n\n\nX".utf8))
            case "body": .blob(Array("abd".utf8))
            case "received": .real(1)
            default: .integer(1)
            }
        try store.writeBeside { tables in
            _ = try tables.run("UPDATE \"$side.responses\" SET \(column) = ?", [value])
        }
        let found = try responses.responses(for: Self.key)
        guard column != "received" else {
            #expect(found.count == 1, "a time is as good as another")
            return
        }
        #expect(found.isEmpty && responses.isDamaged)
        try responses.removeDamaged()
        #expect(try responses.size() == 0 && !responses.isDamaged)
    }

    @Test func `so is what has lost its file, or a part of it, or names another`() throws {
        let responses = responses()
        for change in 0..<3 {
            try responses.keep(Self.response(Data(count: 100_000)), for: Self.key, replacing: [])
            let file = path + "-responses/" + (files.first ?? "")
            switch change {
            case 0: try FileManager.default.removeItem(atPath: file)
            case 1: try Data(count: 99_999).write(to: URL(filePath: file))
            default:
                try store.writeBeside { tables in
                    _ = try tables.run(
                        "UPDATE \"$side.responses\" SET file = '../store.sqlite'")
                }
            }
            #expect(try responses.responses(for: Self.key).isEmpty)
            try responses.removeDamaged()
            #expect(try responses.size() == 0)
            for name in files {
                try FileManager.default.removeItem(atPath: path + "-responses/" + name)
            }
        }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `what was not used for longest makes room`() throws {
        let limits = ResponseCache.Limits(maximumFileSize: 40_000, maximumResponseSize: 20_000)
        let responses = responses(limits: limits)
        for number in 0..<20 {
            clock.pass(1)
            let key = MemoryResponsesTests.key("\(number)")
            try responses.keep(Self.response(Data(count: 4_000)), for: key, replacing: [])
            _ = try responses.responses(for: MemoryResponsesTests.key("0"))
        }
        #expect(try responses.size() <= 40_000)
        #expect(try !responses.responses(for: MemoryResponsesTests.key("0")).isEmpty, "used last")
        #expect(try responses.responses(for: MemoryResponsesTests.key("1")).isEmpty)
        #expect(try !responses.responses(for: MemoryResponsesTests.key("19")).isEmpty)
        try responses.keep(Self.response(Data(count: 30_000)), for: Self.key, replacing: [])
        #expect(try responses.responses(for: Self.key).isEmpty, "too large by itself")
    }

    @Test func `they go by resource, by origin, by time, and all`() throws {
        let responses = responses()
        try responses.removeAll(of: [1])
        try responses.removeAll(from: nil)
        let other = MemoryResponsesTests.key("a", account: 1)
        let far = MemoryResponsesTests.key("b", origin: "https://b")
        try responses.keep(Self.response(Data()), for: Self.key, replacing: [])
        try responses.keep(
            Self.response(Data(), useless: clock.now - 1, variant: [:]), for: Self.key,
            replacing: [])
        for key in [other, far] {
            try responses.keep(Self.response(Data(count: 100_000)), for: key, replacing: [])
        }
        try responses.removeExpired(at: clock.now)
        let ids = try responses.responses(for: Self.key).map(\.id)
        #expect(ids.count == 1)
        try responses.remove(ids, of: Self.key)
        #expect(try responses.responses(for: Self.key).isEmpty)
        try responses.removeAll(of: other.resource)
        #expect(try responses.responses(for: other).isEmpty && files.count == 1)
        try responses.removeAll(from: "https://a")
        #expect(try responses.responses(for: far).count == 1)
        try responses.removeAll(from: nil)
        #expect(try responses.size() == 0 && files.isEmpty)
    }

    @Test func `files that nobody names go once they are old`() throws {
        let responses = responses()
        try responses.keep(Self.response(Data(count: 100_000)), for: Self.key, replacing: [])
        let stranger = path + "-responses/" + UUID().uuidString
        try Data("a".utf8).write(to: URL(filePath: stranger))
        try responses.removeExpired(at: clock.now)
        #expect(FileManager.default.fileExists(atPath: stranger), "its row may be about to come")
        clock.pass(1_000)
        try responses.removeAll(from: "https://b")
        #expect(FileManager.default.fileExists(atPath: stranger))
        try responses.removeAll(from: nil)
        #expect(!FileManager.default.fileExists(atPath: stranger) && files.isEmpty)
        try responses.keep(Self.response(Data(count: 100_000)), for: Self.key, replacing: [])
        try Data("a".utf8).write(to: URL(filePath: stranger))
        clock.pass(1_000)
        try responses.removeExpired(at: clock.now)
        #expect(!FileManager.default.fileExists(atPath: stranger) && files.count == 1)
    }

    @Test func `where there is no room for files, what is large is not kept`() throws {
        let responses = responses()
        try Data().write(to: URL(filePath: path + "-responses"))
        #expect(throws: POSIXError.self) {
            try responses.keep(Self.response(Data(count: 100_000)), for: Self.key, replacing: [])
        }
        try responses.keep(Self.response(Data(count: 100)), for: Self.key, replacing: [])
        #expect(try responses.responses(for: Self.key).map(\.bodyCount) == [100])
        try responses.removeExpired(at: clock.now + 10_000)
        #expect(try responses.responses(for: Self.key).count == 1)
    }

    @Test func `a file whose row can't be written goes`() throws {
        let responses = responses()
        try responses.keep(Self.response(Data(count: 100_000)), for: Self.key, replacing: [])
        try store.close()
        #expect(throws: StoreError.self) {
            try responses.keep(Self.response(Data(count: 100_001)), for: Self.key, replacing: [])
        }
        #expect(files.count == 1)
    }

    @Test func `two stores on one file share what is kept, and the salt`() throws {
        let (own, store) = (responses(), try Store(at: path, model: store.model))
        let other = responses(in: store)
        #expect(try own.salt() == other.salt())
        try own.keep(Self.response(Data("a".utf8)), for: Self.key, replacing: [])
        let seen = try #require(other.responses(for: Self.key).first)
        try other.keep(Self.response(Data("b".utf8)), for: Self.key, replacing: [seen.id])
        #expect(try own.responses(for: Self.key).map(\.body) == [Data("b".utf8)])
    }

    @Test func `a full file loses what is to be kept, never the response`() async throws {
        let store = try Store.temporary(of: 200_000)
        try store.fill()
        let client = Self.client(in: store)
        for number in 0..<10 { try await Self.get("\(number)", by: client) }
        #expect(try store.checkIntegrity().isSound)
    }

    /// A client of a cache in a store, whose server has a user and much of no object.
    private static func client(in store: Store) -> Client {
        let transport = StubTransport { request in
            let text = request.head.path == "/users" ? Store.users(1) : content
            return .json(text, headerFields: [.cacheControl: "max-age=60"])
        }
        var settings = Client.Configuration(transport: transport)
        settings.cache = ResponseCache(in: store)
        return Client(baseURL: "http://test.invalid/", store: store, configuration: settings)
    }

    private static let content = String(repeating: "a", count: 20_000)

    private static func get(_ path: String, by client: Client) async throws {
        let text: String = try await client.enqueue(Resource(path)).value
        #expect(text == content)
        _ = try await client.configuration.cache?.settled().value
    }

    @Test func `what is kept leaves objects their room, and has them have its own`() async throws {
        let store = try Store.temporary(of: 2 << 20)
        let client = Self.client(in: store)
        for number in 0..<120 { try await Self.get("\(number)", by: client) }
        let size = try responses(in: store).size()
        #expect(size > 100_000 && size < 350_000)
        try store.fill()
        #expect(try store.count(User.all) > 50)
        let users: [User] = try await client.enqueue(Resource("users")).value
        #expect(users.count == 1)
        _ = try await client.configuration.cache?.settled().value
        try store.import([User].self, from: Store.users(2))
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `in a small file what is large has files of its own`() throws {
        let responses = try responses(in: .temporary(of: 200_000))
        try responses.keep(Self.response(Data(count: 10_000)), for: Self.key, replacing: [])
        #expect(try responses.responses(for: Self.key).map(\.bodyCount) == [10_000])
        #expect(files.count == 1)
    }

    @Test func `a store that is closed is a cache without anything`() async throws {
        let transport = StubTransport { _ in .json("1", headerFields: [.cacheControl: "max-age=60"])
        }
        var settings = Client.Configuration(transport: transport)
        settings.cache = ResponseCache(in: store)
        let client = try Client(
            baseURL: "http://test.invalid/", store: TestClient.store(), configuration: settings)
        try store.close()
        let response: Response<String> = try await client.enqueue(Resource("x")).value
        #expect(response.value == "1" && response.source == .network)
    }
}
