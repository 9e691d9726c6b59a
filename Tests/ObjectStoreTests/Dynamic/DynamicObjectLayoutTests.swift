import Foundation
import Testing

@testable import LarderObjectStore

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
