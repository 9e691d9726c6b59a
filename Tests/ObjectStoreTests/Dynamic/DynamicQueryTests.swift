import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Questions about entities that are known by their names only.
@Suite struct DynamicQueryTests {
    private let store: Store

    init() throws {
        store = try Store.inMemory(
            model: Model(json: Data(try Comics.store().model.json.utf8), name: "Comics"))
        try store.import(
            "Publisher",
            from: Data(
                #"""
                [{"id": 1, "name": "North", "founded": "1939-05-01", "heroes": [
                   {"id": 10, "name": "Ann", "strength": 2.5, "powers": [{"id": 7, "name": "fly"}]},
                   {"id": 11, "name": "Bob", "active": false, "mentor": 10},
                   {"id": 12, "name": "O'Hara", "powers": [7]}]},
                 {"id": 2, "name": "South", "heroes": [{"id": 20, "name": "Eve"}]}]
                """#.utf8))
    }

    private var heroes: DynamicQuery { DynamicQuery("Hero") }

    private func ids(_ query: DynamicQuery) throws -> [Int] {
        try store.fetch(query).map { try $0.value("id") }
    }

    // MARK: What is asked

    @Test func `all objects come as they were inserted`() throws {
        #expect(try ids(heroes) == [10, 11, 12, 20])
        #expect(try store.count(heroes) == 4)
        #expect(heroes.entityName == "Hero")
    }

    @Test(
        arguments: [
            ("name = 'Ann'", [10]), ("strength is null and not isActive = false", [12, 20]),
            ("publisher.name = 'South' or mentor = 10", [11, 20]),
            ("powers.name = 'fly'", [10, 12]),
            ("publisher.founded < '1940-01-01'", [10, 11, 12]), ("id in (10, 20, 30)", [10, 20]),
            ("name like '%''%'", [12]),
        ])
    func `conditions are text`(condition: String, expected: [Int]) throws {
        #expect(try ids(heroes.where(condition)) == expected)
    }

    @Test func `conditions are joined, orders refine each other`() throws {
        #expect(try ids(heroes.where("id > 10").where("publisher = 1")) == [11, 12])
        #expect(try ids(heroes.sorted("publisher.name, -name")) == [12, 11, 10, 20])
        #expect(try ids(heroes.sorted("isActive").sorted("-id")) == [11, 20, 12, 10])
    }

    @Test func `some of them`() throws {
        #expect(try ids(heroes.limit(2)) == [10, 11])
        #expect(try ids(heroes.offset(1).limit(2)) == [11, 12])
        #expect(try ids(heroes.offset(3)) == [20])
        #expect(try ids(heroes.limit(-1)) == [])
        #expect(try ids(heroes.offset(-1)).count == 4)
        #expect(try store.count(heroes.limit(3)) == 3)
        #expect(try store.first(heroes.sorted("-id"))?["id"] == .integer(20))
        #expect(try store.first(heroes.limit(0)) == nil)
        #expect(try store.first(heroes.where("id = 0")) == nil)
        #expect(try store.contains(heroes.where("id = 10")))
        #expect(try store.contains(heroes.where("id = 0")) == false)
        #expect(try store.contains(heroes.limit(0)) == false)
    }

    @Test func `values are bound, whatever they say`() throws {
        #expect(try ids(heroes.where("name", is: "O'Hara")) == [12])
        #expect(try ids(heroes.where("name", is: "' or 1 = 1 --")) == [])
        #expect(try ids(heroes.where("isActive", is: false)) == [11])
        #expect(try ids(heroes.where("strength", is: 2.5)) == [10])
        #expect(try ids(heroes.where("strength", is: Double?.none)) == [11, 12, 20])
        #expect(try ids(heroes.where("publisher.name", is: "South")) == [20])
        #expect(try ids(heroes.where("publisher", is: 2)) == [20])
        #expect(try ids(heroes.where("mentor", is: Int?.none)) == [10, 12, 20])
        #expect(try ids(heroes.where("powers.id", is: "7")) == [10, 12])
    }

    @Test func `decimal numbers are compared by their value`() throws {
        let shop = try Store.inMemory(model: Shop.store().model)
        try shop.import("Product", from: Data(Shop.items.utf8))
        let price = try #require(Decimal(string: "9.50"))
        #expect(try shop.count(DynamicQuery("Product").where("price", is: price)) == 1)
        #expect(try shop.count(DynamicQuery("Product").where("price", is: 10)) == 1)
        #expect(try shop.count(DynamicQuery("Product").where("weight", is: 2)) == 1)
        // As a string of JSON may spell it.
        for text in ["9.5", "+9.50", "95e-1"] {
            #expect(try shop.count(DynamicQuery("Product").where("price", is: text)) == 1)
            #expect(try shop.count(DynamicQuery("Product").where("price = '\(text)'")) == 1)
        }
        for text in ["+-9.5", "++9.5", "9,5"] {
            #expect(throws: StoreError.self) {
                try shop.count(DynamicQuery("Product").where("price", is: text))
            }
        }
    }

    @Test func `text may be a UUID or a URL, however it is spelled`() throws {
        let page = EntityDescription(
            name: "Page", identity: ["address"],
            attributes: [
                AttributeDescription("address", .url, key: "address"), .optional("token", .uuid),
            ],
            relationships: [
                RelationshipDescription("next", to: "Page", isOptional: true, key: "next")
            ])
        let store = try Store.inMemory(model: Model(name: "Pages", entities: [page]))
        try store.import(
            "Page",
            from: #"""
                [{"address": "https://e.x/ü", "token": "0b5e5cd6-6c4b-4f6a-8c3a-1a2b3c4d5e6f",
                  "next": "https://e.x/é"}]
                """#)
        let pages = DynamicQuery("Page")
        #expect(try store.count(pages.where("address", is: "https://e.x/ü")) == 1)
        #expect(try store.count(pages.where("address", is: "https://e.x/%C3%BC")) == 1)
        #expect(try store.count(pages.where("next", is: "https://e.x/é")) == 1)
        let token = "0b5e5cd6-6c4b-4f6a-8c3a-1a2b3c4d5e6f"
        #expect(try store.count(pages.where("token", is: token)) == 1)
        #expect(try store.count(pages.where("token", is: token.uppercased())) == 1)
        #expect(try store.find("Page", id: "https://e.x/ü") != nil)
        #expect(throws: StoreError.self) { try store.count(pages.where("token", is: "x")) }
    }

    // MARK: Mistakes

    @Test func `names that are not there are errors that say which are`() throws {
        let entity = #expect(throws: StoreError.self) { try store.fetch(DynamicQuery("hero")) }
        #expect(entity?.reason == .unknownEntity)
        #expect(
            entity?.message.hasSuffix("no entity hero; it has Card, Hero, Power, Publisher") == true
        )
        let path = #expect(throws: StoreError.self) {
            try store.fetch(heroes.where("publisher.nam", is: "x"))
        }
        #expect(
            path?.message
                == "publisher.nam leads nowhere: expected an attribute or a relationship of"
                + " Publisher (founded, heroes, id, name)")
        let early = #expect(throws: StoreError.self) {
            try store.count(heroes.where("powers", is: 1))
        }
        #expect(early?.message.hasPrefix("powers ends too early: expected an attribute") == true)
        let text = #expect(throws: ExpressionError.self) {
            try store.fetch(heroes.where("nam = 1"))
        }
        #expect(text?.column == 1)
        let order = #expect(throws: ExpressionError.self) {
            try store.fetch(heroes.sorted("powers"))
        }
        #expect(order?.column == 7)
    }

    @Test func `values of another type are errors`() throws {
        let error = #expect(throws: StoreError.self) {
            try store.fetch(heroes.where("name", is: 1))
        }
        #expect(error?.reason == .unexpectedValue)
        #expect(error?.message == "name can't be such a value: expected text")
        #expect(throws: StoreError.self) { try store.fetch(heroes.where("publisher", is: "x")) }
        #expect(throws: StoreError.self) { try store.fetch(heroes.where("id", is: Data())) }
    }

    @Test func `of data it can only be asked whether it is nil`() throws {
        let fixture = try StoreFixture(.numbered("File", .optional("bytes", .data)))
        try fixture.insert("File", #"[{"id": 1, "bytes": "YQ=="}, {"id": 2}]"#)
        let files = DynamicQuery("File")
        #expect(try fixture.store.count(files.where("bytes", is: Data?.none)) == 1)
        let error = #expect(throws: StoreError.self) {
            try fixture.store.count(files.where("bytes", is: Data("a".utf8)))
        }
        #expect(error?.message == "bytes can't be compared with a value: expected nil")
    }

    // MARK: Ways to call

    @Test func `as JSON, whole or one by one`() throws {
        let json = try store.json(heroes.where("id = 20"), relationships: .identities)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"[{"id":20,"active":true,"name":"Eve","identity":{"real_name":null},"#
                + #""strength":null,"mentor":null,"publisher":2,"powers":[]}]"#)
        var count = 0
        try store.export(heroes.where("publisher", is: 1)) { json in
            count += 1
            let object = try JSONDocument(json).root
            #expect(object["publisher"]?["name"]?.string == "North")
        }
        #expect(count == 3)
    }

    @Test func `in snapshots and transactions`() throws {
        let store = store
        try store.read { snapshot in
            let all = try snapshot.fetch(heroes)
            #expect(all.count == 4)
            #expect(try snapshot.first(heroes) == all.first)
            #expect(try snapshot.find("Hero", id: 11)?["name"] == .text("Bob"))
        }
        let report = try store.write { context in
            try context.delete(heroes.where("id = 20"))
            #expect(try context.count(heroes) == 3)
            let eve = try context.import("Hero", from: JSONDocument(#"{"id":21,"name":"E"}"#).root)
            #expect(try eve.fetch().map { $0["id"] } == [.integer(21)])
            return context.report
        }
        #expect(report["Hero"].deleted == 1)
        #expect(report["Hero"].inserted == 1)
        #expect(try ids(heroes) == [10, 11, 12, 21])
    }

    @Test func `awaited and as promises`() async throws {
        let heroes = heroes
        #expect(try await store.read { try $0.fetch(heroes).count } == 4)
        let json = try store.json(heroes, relationships: .omitted)
        #expect(try await store.read { try $0.json(heroes, relationships: .omitted) } == json)
        let data = Data(#"{"list": [{"id": 30, "name": "Zed"}]}"#.utf8)
        #expect(try await store.write { try $0.import("Hero", from: data, at: "list") }.count == 1)
        let promise = store.promise.write { context in
            try context.import("Hero", from: data, at: "list")
            return context.report
        }
        #expect(try await promise.value["Hero"].unchanged == 1)
        #expect(try await store.promise.read { try $0.count(heroes) }.value == 5)
    }

    @Test func `deletes by a query, and objects that were read`() throws {
        #expect(try store.delete(heroes.where("publisher.name", is: "North").limit(2)) == 2)
        #expect(try ids(heroes) == [12, 20])
        let record = try #require(try store.first(heroes))
        let deleted = try store.write { [try $0.delete(record), try $0.delete(record)] }
        #expect(deleted == [1, 0])
        #expect(try ids(heroes) == [20])
        #expect(throws: ExpressionError.self) { try store.delete(heroes.where("x")) }
        let other = try Store.inMemory(model: store.model)
        let error = #expect(throws: StoreError.self) { try other.write { try $0.delete(record) } }
        #expect(error?.reason == .otherStore)
    }
}
