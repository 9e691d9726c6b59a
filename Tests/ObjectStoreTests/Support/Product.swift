import Foundation
import LarderObjectStore

/// An entity with an attribute of each type that columns calculate with.
struct Product: Entity {
    var id: Int
    var name: String
    var count: Int
    var weight: Double?
    var price: Decimal?
    var made: Date
    var sold: Date?
    var note: String?

    static var entityName: String { "Product" }
    static let entityDescription = EntityDescription(
        name: "Product", identity: ["id"],
        attributes: [
            AttributeDescription("id", Int.self, key: "id"),
            AttributeDescription("name", String.self, key: "name"),
            AttributeDescription("count", Int.self, key: "count", default: 0),
            AttributeDescription("weight", Double?.self, key: "weight"),
            AttributeDescription("price", Decimal?.self, key: "price"),
            AttributeDescription("made", Date.self, key: "made"),
            AttributeDescription("sold", Date?.self, key: "sold"),
            AttributeDescription("note", String?.self, key: "note"),
        ])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var id: Column<Int> { .init(path, "id") }
        var name: Column<String> { .init(path, "name") }
        var count: Column<Int> { .init(path, "count") }
        var weight: Column<Double?> { .init(path, "weight") }
        var price: Column<Decimal?> { .init(path, "price") }
        var made: Column<Date> { .init(path, "made") }
        var sold: Column<Date?> { .init(path, "sold") }
        var note: Column<String?> { .init(path, "note") }
    }

    init(row: EntityRow) throws {
        id = try row.attribute(0)
        name = try row.attribute(1)
        count = try row.attribute(2)
        weight = try row.attribute(3)
        price = try row.attribute(4)
        made = try row.attribute(5)
        sold = try row.attribute(6)
        note = try row.attribute(7)
    }
}

/// A store of items.
enum Shop {
    static func store(_ json: String = items) throws -> Store {
        let store = try Store.inMemory(entities: Product.self)
        try store.import(Many<Product>.self, from: Data(json.utf8))
        return store
    }

    static let items = """
        [{"id": 1, "name": "Apple", "count": 7, "weight": 0.5, "price": "9.5",
          "made": "2024-02-29T23:59:59.9996Z", "sold": "2024-03-01T00:00:00Z", "note": "ÄPFEL"},
         {"id": 2, "name": "Bread", "count": -7, "weight": 2, "price": "10",
          "made": "1999-12-31T12:00:00Z", "note": "äpfel und brot"},
         {"id": 3, "name": "cake", "count": 0, "price": "-10.25",
          "made": "2001-01-01T00:00:00Z", "sold": "2001-01-02T00:00:00Z"},
         {"id": 4, "name": "Date", "count": 3, "weight": 1.5,
          "made": "2026-11-21T10:30:00Z", "note": ""}]
        """
}
