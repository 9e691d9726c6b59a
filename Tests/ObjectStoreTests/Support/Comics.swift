import Foundation
import LarderObjectStore

/// The entities that most tests are about, written by hand as `@Entity` writes them.
enum Comics {
    static let types: [any Entity.Type] = [
        Publisher.self, Hero.self, Power.self, Card.self,
    ]

    static func store() throws -> Store {
        try Store.inMemory(entities: Publisher.self, Hero.self, Power.self, Card.self)
    }

    static func fixture() throws -> StoreFixture {
        try StoreFixture(entities: Publisher.self, Hero.self, Power.self, Card.self)
    }
}

struct Publisher: Entity {
    var id: Int
    var name: String
    var founded: Date?
    var heroes: Many<Hero>

    static var entityName: String { "Publisher" }
    static let entityDescription = EntityDescription(
        name: "Publisher", identity: ["id"],
        attributes: [
            AttributeDescription("id", Int.self, key: "id"),
            AttributeDescription("name", String.self, key: "name"),
            AttributeDescription("founded", Date?.self, key: "founded"),
        ],
        relationships: [
            RelationshipDescription(
                "heroes", to: Hero.entityName, isToMany: true, key: "heroes", inverse: "publisher")
        ])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var id: Column<Int> { .init(path, "id") }
        var name: Column<String> { .init(path, "name") }
        var founded: Column<Date?> { .init(path, "founded") }
        var heroes: ToManyColumn<Hero> { .init(path, "heroes") }
    }
}

extension Publisher {
    init(row: EntityRow) throws {
        id = try row.attribute(0)
        name = try row.attribute(1)
        founded = try row.attribute(2)
        heroes = row.many("heroes")
    }

    func write(to values: inout EntityValues) throws {
        try values.attribute(0, id)
        try values.attribute(1, name)
        try values.attribute(2, founded)
        try values.many("heroes", heroes)
    }
}

struct Hero: Entity {
    var id: Int
    var name: String
    var realName: String?
    var strength: Double?
    var isActive: Bool
    var publisher: One<Publisher>?
    var mentor: One<Hero>?
    var powers: Many<Power>

    static var entityName: String { "Hero" }
    static let entityDescription = EntityDescription(
        name: "Hero", identity: ["id"],
        attributes: [
            AttributeDescription("id", Int.self, key: "id"),
            AttributeDescription("name", String.self, key: "name"),
            AttributeDescription("realName", String?.self, key: "identity.real_name"),
            AttributeDescription("strength", Double?.self, key: "strength"),
            AttributeDescription("isActive", Bool.self, key: "active", default: true),
        ],
        relationships: [
            RelationshipDescription(
                "publisher", to: Publisher.entityName, isOptional: true, key: "publisher",
                inverse: "heroes"),
            RelationshipDescription("mentor", to: "Hero", isOptional: true, key: "mentor"),
            RelationshipDescription(
                "powers", to: Power.entityName, isToMany: true, isOrdered: true, key: "powers",
                inverse: "heroes"),
        ])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var id: Column<Int> { .init(path, "id") }
        var name: Column<String> { .init(path, "name") }
        var realName: Column<String?> { .init(path, "realName") }
        var strength: Column<Double?> { .init(path, "strength") }
        var isActive: Column<Bool> { .init(path, "isActive") }
        var publisher: ToOneColumn<Publisher> { .init(path, "publisher") }
        var mentor: ToOneColumn<Hero> { .init(path, "mentor") }
        var powers: ToManyColumn<Power> { .init(path, "powers") }
    }
}

extension Hero {
    init(row: EntityRow) throws {
        id = try row.attribute(0)
        name = try row.attribute(1)
        realName = try row.attribute(2)
        strength = try row.attribute(3)
        isActive = try row.attribute(4)
        publisher = try row.one(0)
        mentor = try row.one(1)
        powers = row.many("powers")
    }

    func write(to values: inout EntityValues) throws {
        try values.attribute(0, id)
        try values.attribute(1, name)
        try values.attribute(2, realName)
        try values.attribute(3, strength)
        try values.attribute(4, isActive)
        try values.one(0, publisher)
        try values.one(1, mentor)
        try values.many("powers", powers)
    }
}

struct Power: Entity {
    var id: String
    var name: String
    var heroes: Many<Hero>

    static var entityName: String { "Power" }
    static let entityDescription = EntityDescription(
        name: "Power", identity: ["id"],
        attributes: [
            AttributeDescription("id", String.self, key: "id", transformer: .string),
            AttributeDescription("name", String.self, key: "name"),
        ],
        relationships: [
            RelationshipDescription(
                "heroes", to: "Hero", isToMany: true, key: "heroes", inverse: "powers")
        ])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var id: Column<String> { .init(path, "id") }
        var name: Column<String> { .init(path, "name") }
        var heroes: ToManyColumn<Hero> { .init(path, "heroes") }
    }
}

extension Power {
    init(row: EntityRow) throws {
        id = try row.attribute(0)
        name = try row.attribute(1)
        heroes = row.many("heroes")
    }

    func write(to values: inout EntityValues) throws {
        try values.attribute(0, id)
        try values.attribute(1, name)
        try values.many("heroes", heroes)
    }
}

struct Card: Entity {
    var suit: String
    var value: String
    var timesPlayed: Int?

    static var entityName: String { "Card" }
    static let entityDescription = EntityDescription(
        name: "Card", identity: ["suit", "value"],
        attributes: [
            AttributeDescription("suit", String.self, key: "suit"),
            AttributeDescription("value", String.self, key: "value"),
            AttributeDescription("timesPlayed", Int?.self, key: "times_played"),
        ])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var suit: Column<String> { .init(path, "suit") }
        var value: Column<String> { .init(path, "value") }
        var timesPlayed: Column<Int?> { .init(path, "timesPlayed") }
    }
}

extension Card {
    init(row: EntityRow) throws {
        suit = try row.attribute(0)
        value = try row.attribute(1)
        timesPlayed = try row.attribute(2)
    }

    func write(to values: inout EntityValues) throws {
        try values.attribute(0, suit)
        try values.attribute(1, value)
        try values.attribute(2, timesPlayed)
    }
}
