import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Objects of models that are known at run time only.
@Suite struct DynamicObjectTests {
    private let store: Store

    init() throws {
        store = try Store.inMemory(model: Model(json: Data(Self.model.utf8)))
        try store.import("Issue", from: Data(Self.issues.utf8), at: "data.items")
    }

    private static let model = #"""
        {"name": "Tracker", "keys": "snake_case", "entities": {
           "User": {"identity": ["id"], "attributes": {"id": "integer", "login": "string"},
             "relationships": {"issues": {"to": "Issue", "many": true, "inverse": "user"}}},
           "Issue": {"identity": ["id"],
             "attributes": {"id": "integer", "title": "string", "body": "string?",
               "createdAt": "date?", "isOpen": {"type": "boolean", "default": true},
               "price": "decimal?", "site": "url?", "token": "uuid?", "bytes": "data?",
               "extra": "json?", "share": "double?"},
             "relationships": {"user": {"to": "User", "optional": true, "inverse": "issues"},
               "parts": {"to": "Issue", "many": true, "ordered": true}}},
           "Card": {"identity": ["suit", "rank"],
             "attributes": {"suit": "string", "rank": "integer?", "note": "string?"}}}}
        """#

    private static let issues = #"""
        {"data": {"items": [
           {"id": 1, "title": "Crash", "created_at": "2001-01-02T00:00:00Z", "price": 1.50,
            "site": "https://a/b", "token": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            "bytes": "AQI=", "extra": {"a": 1}, "share": 0.5, "user": {"id": 7, "login": "ann"},
            "parts": [3, 2, 9]},
           null,
           {"id": 2, "title": "Slow", "is_open": false, "user": 7},
           {"id": 3, "title": "Blue", "user": 8}]}}
        """#

    private func issue(_ id: Int) throws -> DynamicObject {
        try #require(try store.find("Issue", id: id))
    }

    // MARK: Values

    @Test func `values are asked for by name`() throws {
        let issue = try issue(1)
        #expect(issue.entityName == "Issue")
        #expect(issue["title"] == .text("Crash"))
        #expect(issue["isOpen"] == .integer(1))
        #expect(issue["body"] == .null)
        #expect(issue["user"] == nil)
        #expect(issue["nothing"] == nil)
        #expect(issue.entity.attributes.map(\.name).contains("createdAt"))
        #expect(issue.isComplete)
    }

    @Test func `values are of the types that attributes have`() throws {
        let issue = try issue(1)
        #expect(try issue.value("id") == 1)
        #expect(try issue.value("title", as: String.self) == "Crash")
        #expect(try issue.value("isOpen", as: Bool.self))
        #expect(try issue.value("createdAt") == Date(timeIntervalSinceReferenceDate: 86_400))
        #expect(try issue.value("price", as: Decimal?.self) == Decimal(string: "1.5"))
        #expect(try issue.value("site") == URL(string: "https://a/b"))
        #expect(
            try issue.value("token") == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try issue.value("bytes") == Data([1, 2]))
        #expect(try issue.value("extra") == ["a": 1])
        #expect(try issue.value("share", as: Double.self) == 0.5)
        #expect(try issue.value("body", as: String?.self) == nil)
    }

    @Test func `what is not there or of another type is an error`() throws {
        let issue = try issue(1)
        let unknown = #expect(throws: StoreError.self) {
            try issue.value("titel", as: String.self)
        }
        #expect(unknown?.reason == .unknownEntity)
        #expect(
            unknown?.message.hasPrefix("Issue has no attribute titel; it has id, title, body")
                == true)
        let empty = #expect(throws: StoreError.self) { try issue.value("body", as: String.self) }
        #expect(empty?.reason == .incompleteObject)
        for attempt in [
            { _ = try issue.value("title", as: Int.self) },
            { _ = try issue.value("id", as: Date.self) },
            { _ = try issue.value("isOpen", as: Int?.self) },
            { _ = try issue.value("site", as: String.self) },
        ] {
            let error = #expect(throws: StoreError.self) { try attempt() }
            #expect(error?.reason == .unexpectedValue)
        }
    }

    @Test func `says what it is`() throws {
        #expect(
            try issue(2).description
                == #"Issue(id: 2, title: "Slow", body: nil, createdAt: nil, isOpen: 0, price: nil, "#
                + "site: nil, token: nil, bytes: nil, extra: nil, share: nil)")
        #expect(try issue(1).description.contains("createdAt: 86400.0"))
        #expect(try issue(1).description.contains("bytes: 2 bytes"))
    }

    @Test func `is equal while it is the same object and holds the same`() throws {
        let before = try issue(2)
        let again = try issue(2)
        #expect(before == again)
        #expect(Set([before, again, try issue(1)]).count == 2)
        try store.import("Issue", from: Data(#"{"id": 2, "title": "Slower"}"#.utf8))
        #expect(try issue(2) != before)
        #expect(before["title"] == .text("Slow"))
    }

    // MARK: Relationships

    @Test func `relationships are read when they are asked for`() throws {
        let issue = try issue(1)
        let user = try #require(try issue.one("user"))
        #expect(user.entityName == "User")
        #expect(user["login"] == .text("ann"))
        #expect(try user.many("issues").map { $0["id"] } == [.integer(1), .integer(2)])
        #expect(try issue.many("parts").map { $0["title"] } == [.text("Blue"), .text("Slow")])
        try store.import("User", from: Data(#"{"id": 7, "login": "bob"}"#.utf8))
        #expect(try issue.one("user")?["login"] == .text("bob"))
        #expect(try self.issue(3).many("parts").isEmpty)
    }

    @Test func `a reference is there, but not whole`() throws {
        let user = try #require(try issue(3).one("user"))
        #expect(user.isComplete == false)
        #expect(user["id"] == .integer(8))
        #expect(user["login"] == .null)
        #expect(try store.find("User", id: 8) == nil)
    }

    @Test func `relationships that are not there are errors that say which are`() throws {
        let issue = try issue(1)
        let one = #expect(throws: StoreError.self) { try issue.one("parts") }
        #expect(one?.message == "Issue has no to-one relationship parts; it has user")
        let many = #expect(throws: StoreError.self) { try issue.many("user") }
        #expect(many?.message == "Issue has no to-many relationship user; it has parts")
        let card = try store.import("Card", from: Data(#"{"suit": "s"}"#.utf8)).fetch()[0]
        let none = #expect(throws: StoreError.self) { try card.one("x") }
        #expect(none?.message == "Card has no to-one relationship x; it has none")
    }

    @Test func `an object that has gone is an error`() throws {
        let issue = try issue(1)
        try store.delete(DynamicQuery("User").where("id = 7"))
        let error = #expect(throws: StoreError.self) { try issue.one("user") }
        #expect(error?.reason == .missingObject)
        #expect(try self.issue(1).one("user") == nil)
    }

    // MARK: Identities

    @Test func `objects are found by what identifies them`() throws {
        try store.import(
            "Card", from: Data(#"[{"suit": "s", "rank": 1, "note": "n"}, {"suit": "s"}]"#.utf8))
        #expect(try store.find("Card", id: "s", 1)?["note"] == .text("n"))
        #expect(try store.find("Card", id: "s", Int?.none)?["note"] == .null)
        #expect(try store.find("Card", id: "t", 1) == nil)
        #expect(try store.find("Issue", id: 99) == nil)
        let count = #expect(throws: StoreError.self) { try store.find("Card", id: "s") }
        #expect(count?.message == "Card is identified by 2 values, not by 1")
        let name = #expect(throws: StoreError.self) { try store.find("Isue", id: 1) }
        #expect(
            name?.message
                == "the store's model Tracker has no entity Isue; it has Card, Issue, User")
    }

    @Test func `becomes JSON by its model`() throws {
        #expect(
            try issue(3).json(relationships: .identities)
                == Data(
                    (#"{"id":3,"title":"Blue","body":null,"created_at":null,"is_open":true,"#
                        + #""price":null,"site":null,"token":null,"bytes":null,"extra":null,"#
                        + #""share":null,"user":8,"parts":[]}"#).utf8))
        let whole = try JSONDocument(try issue(1).json()).root
        #expect(whole["user"]?["login"]?.string == "ann")
        #expect(whole["user"]?["issues"] == nil)
        let issue = try issue(2)
        try store.delete(DynamicQuery("Issue"))
        let error = #expect(throws: StoreError.self) { try issue.json() }
        #expect(error?.reason == .missingObject)
    }
}

/// The columns that records are read from.
@Suite struct DynamicObjectLayoutTests {
    private func names(_ entity: String, _ store: Store) throws -> [String] {
        DynamicObjectLayout(try store.plan.entity(entity), in: store.plan).columnNames
    }

    @Test func `an entity alone has its columns behind the rowid`() throws {
        let store = try Comics.store()
        #expect(try names("Power", store) == ["$id", "$reference", "id", "name"])
        #expect(
            try names("Hero", store) == [
                "id", "$reference", "id", "name", "realName", "strength", "isActive", "publisher",
                "mentor",
            ])
    }

    @Test func `a family has the columns of all that an object can be, each once`() throws {
        let store = try Inbox.fixture().store
        let message = try names("Message", store)
        #expect(message.prefix(3) == ["id", "$entity", "$reference"])
        #expect(
            Set(message.dropFirst(3)) == [
                "id", "sentAt", "author", "replyTo", "text", "isEdited", "url", "pack",
            ])
        #expect(message.count == 11)
        let sticker = try names("Sticker", store)
        #expect(sticker.contains("isEdited") == false)
        #expect(sticker.contains("pack"))
    }

    @Test func `records hold what objects of types hold`() throws {
        let store = try Shop.store()
        let records = try store.fetch(DynamicQuery("Product").sorted("-made"))
        let products = try store.fetch(Product.all.sorted { $0.made.descending })
        #expect(records.count == products.count)
        for (record, product) in zip(records, products) {
            #expect(try record.value("id") == product.id)
            #expect(try record.value("name") == product.name)
            #expect(try record.value("count") == product.count)
            #expect(try record.value("weight") == product.weight)
            #expect(try record.value("price") == product.price)
            #expect(try record.value("made") == product.made)
            #expect(try record.value("sold") == product.sold)
            #expect(try record.value("note") == product.note)
        }
    }

    @Test func `an object of another kind than was asked for is an error`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("Message", #"{"type":"text","id":1,"text":"hi"}"#)
        let plan = try fixture.store.plan.entity("PictureMessage")
        let error = #expect(throws: StoreError.self) {
            try fixture.store.read { try $0.reader.dynamicObjects(in: [1], of: plan) }
        }
        #expect(error?.reason == .unexpectedValue)
        #expect(
            error?.message
                == "an object of TextMessage stands where one of PictureMessage belongs")
    }
}
