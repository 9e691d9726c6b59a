import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Responses that are kept in a file of two megabytes, beside objects.
@Suite struct KeptRoomTests {
    private static let size = 2 << 20

    private let setting: FetchSetting

    init() throws { setting = try FetchSetting(in: .temporary(of: Self.size)) }

    /// Fetches a response of which so many bytes are kept, and an object of a few.
    @discardableResult
    private func get(_ path: String, count: Int = 20_000) async throws -> LogIn {
        let token = String(repeating: "t", count: count)
        setting.server["/" + path] =
            #"{"token": "\#(token)", "user": {"id": 1, "login": "ann"}}"#
        return try await setting.client.enqueue(Resource(path)).value
    }

    /// The number of responses that are kept, and of their bytes.
    private func kept() throws -> (count: Int, size: Int) {
        let rows = try setting.store.readBeside {
            try $0.rows("SELECT size FROM \"\(SideTables.prefix)kept\"")
        }
        let sizes = rows.map { if case .integer(let size) = $0[0] { Int(size) } else { 0 } }
        return (sizes.count, sizes.reduce(0, +))
    }

    @Test func `they leave objects their room`() async throws {
        for number in 0..<120 { try await get("\(number)") }
        let size = try kept().size
        #expect(size > Self.size / 16 && size < Self.size / 6)
        for id in 100..<150 {
            try setting.store.import([User].self, from: Store.users(id))
        }
        setting.server.fail()
        try await get("119")
        await #expect(throws: ClientError.self) { try await get("0") }
    }

    @Test func `one that has no room is not kept, nor what was before it`() async throws {
        try await get("x", count: 100)
        #expect(try await get("x", count: 300_000).token.count == 300_000)
        #expect(try kept().count == 0)
        setting.server.fail()
        await #expect(throws: ClientError.self) { try await get("x") }
    }

    @Test func `those that were confirmed longest ago give their room to others`() async throws {
        for number in 0..<10 {
            try await get("\(number)")
            setting.clock.pass(1)
        }
        try setting.store.fill()
        try await get("new")
        let count = try kept().count
        #expect(count > 1 && count < 10)
        setting.server.fail()
        try await get("new")
        try await get("9")
        await #expect(throws: ClientError.self) { try await get("0") }
    }

    @Test func `for one that has no room even without all nothing goes`() async throws {
        for number in 0..<10 { try await get("\(number)") }
        try setting.store.fill()
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "test.invalid", path: "/new")
        let key = try #require(
            KeptResponseKey(
                of: TransportRequest(head: head), for: Resource("new"), account: nil,
                isOfSession: false, isSecret: { _ in false }))
        let hasRoom = try setting.store.writeBeside {
            try setting.client.kept.hasRoom(for: 250_000, of: key, in: $0)
        }
        #expect(!hasRoom)
        #expect(try kept().count == 10)
    }

    @Test func `what finds no room elsewhere leaves those of a file without a bound`() async throws
    {
        let setting = try FetchSetting(
            in: .temporary(entities: User.self, Article.self, Tag.self))
        setting.server["/x"] = "[]"
        let _: [User] = try await setting.client.enqueue(Resource("x")).value
        let full = try Store.temporary(of: 200_000)
        try full.fill()
        let error = #expect(throws: StoreError.self) {
            try setting.client.kept.makingRoom(repeating: true) {
                _ = try full.import([User].self, from: Store.users(1))
            }
        }
        #expect(error?.reason == .full)
        setting.server.fail()
        let users: [User] = try await setting.client.enqueue(Resource("x")).value
        #expect(users.isEmpty)
    }

    @Test func `an import that finds no room has theirs`() async throws {
        for number in 0..<10 { try await get("\(number)") }
        try setting.store.fill()
        setting.server["/users"] = Store.users(1)
        let users: [User] = try await setting.client.enqueue(Resource("users")).value
        #expect(users.map(\.login.count) == [20_000])
        #expect(try kept().count == 1)
        #expect(try setting.store.checkIntegrity().isSound)
    }

    @Test func `so do those that share a transaction`() async throws {
        for number in 0..<10 { try await get("\(number)") }
        try setting.store.fill()
        for id in 1...3 { setting.server["/users\(id)"] = Store.users(id) }
        // Those behind the first come while that waits.
        let promises = try await setting.store.whileItIsHeld {
            (1...3).map {
                setting.client.enqueue(Resource("users\($0)"), as: [User].self)
            }
        }
        for promise in promises { _ = try await promise.value }
        #expect(try setting.store.count(User.where { $0.id <= 3 }) == 3)
    }

    @Test func `what is written along with one is written once, and the next has the room`()
        async throws
    {
        for number in 0..<10 { try await get("\(number)") }
        try setting.store.fill()
        setting.server["/users"] = Store.users(1)
        let written = Seen<Int>()
        func store() async throws {
            _ = try await setting.client.enqueue(
                Resource("users"),
                storing: { (context, users: [User]) in
                    written.note(users.count)
                    try context.save(User(id: 2, login: String(repeating: "b", count: 20_000)))
                }
            ).value
        }
        let error = await #expect(throws: ClientError.self) { try await store() }
        #expect((error?.underlying as? StoreError)?.reason == .full)
        let count = written.count
        #expect(count <= 1)
        try await store()
        #expect(written.count == count + 1)
        #expect(try setting.store.count(User.where { $0.id <= 2 }) == 2)
    }
}
