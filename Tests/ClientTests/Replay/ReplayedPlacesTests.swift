import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Values that are made again: which object stood where.
@Suite struct ReplayedPlacesTests {
    private static func setting(_ content: String) throws -> FetchSetting {
        let setting = try FetchSetting()
        setting.server["/x"] = content
        return setting
    }

    @Test func `what begins with blanks is made again`() async throws {
        let text = "\u{FEFF}\n " + #"{"token": "t", "user": {"id": 7, "login": "x"}}"#
        let setting = try Self.setting(text)
        for _ in 1...2 {
            let logIn = try await setting.client.enqueue(Resource("x"), as: LogIn.self).value
            #expect(logIn.token == "t" && logIn.user.login == "x")
        }
        #expect(setting.server.answers == [200, 304])
    }

    @Test func `what only a reference is left of is missing`() async throws {
        let setting = try Self.setting(
            #"[{"id": 1, "login": "ann"}, {"id": 2, "login": "bob"}, 3]"#)
        for _ in 1...2 {
            let users = try await setting.client.enqueue(Resource("x"), as: [User].self).value
            #expect(users.map(\.login) == ["ann", "bob"])
        }
        // What has been a reference all along lacks nothing.
        #expect(setting.server.answers == [200, 304])
        try setting.store.delete(One<User>(id: 2))
        try setting.store.import(
            Article.self, from: #"{"id": 5, "title": "t", "author": 2, "tags": []}"#)
        let users = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        #expect(users.map(\.login) == ["ann", "bob"])
        #expect(setting.server.answers == [200, 304, 304, 200])
    }

    @Test func `a list made again has elements`() async throws {
        let setting = try Self.setting(#"[{"id": 1, "login": "ann"}, {"id": 2, "login": "bob"}]"#)
        for _ in 1...2 {
            let users = try await setting.client.enqueue(Resource("x"), as: Many<User>.self).value
            #expect(users.elementCount == 2)
        }
        #expect(setting.server.answers == [200, 304])
    }

    enum Old {
        @Entity("Note") struct Note {
            @Identity var number: Int
            var id: Int
        }
    }

    enum New {
        @Entity("Note") struct Note {
            var number: Int
            @Identity var id: Int
        }
    }

    @Test func `rows that have got other numbers are not taken for those that were kept`()
        async throws
    {
        let file = try TemporaryFile(named: "store.sqlite", Data())
        let path = file.url.path(percentEncoded: false)
        let store = try Store(at: path, entities: Old.Note.self)
        let first = try FetchSetting(in: store)
        first.server["/notes/1"] = #"{"number": 1, "id": 2}"#
        _ = try await first.client.enqueue(Resource("notes/1"), as: Old.Note.self).value
        try store.import(Old.Note.self, from: #"{"number": 2, "id": 1}"#)
        try store.close()
        let second = try FetchSetting(in: Store(at: path, entities: New.Note.self))
        #expect(try second.store.count(New.Note.all) == 2)
        second.server.fail()
        await #expect(throws: ClientError.self) {
            try await second.client.enqueue(Resource("notes/1"), as: New.Note.self).value
        }
    }
}
