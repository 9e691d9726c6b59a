import Foundation
import LarderObjectStore
import Testing

@Suite struct EntityExpansionTests {
    @Test func `describes an entity as one would by hand`() {
        #expect(
            Library.Book.entityDescription
                == EntityDescription(
                    name: "Book",
                    identity: ["id"],
                    attributes: [
                        AttributeDescription("id", .integer, key: "id"),
                        AttributeDescription("title", .string, key: "title", isSearchable: true),
                        AttributeDescription(
                            "subtitle", .string, isOptional: true, key: "subtitle"),
                        AttributeDescription(
                            "kind", .string, key: "kind", default: .string("novel")),
                        AttributeDescription(
                            "coverURL", .url, isOptional: true, key: "cover_url"),
                        AttributeDescription(
                            "publishedAt", .date, key: "dates.published", transformer: .unix,
                            isIndexed: true),
                        AttributeDescription(
                            "pages", .integer, key: "pages", default: .integer(-1)),
                        AttributeDescription(
                            "weight", .double, key: "weight", default: .double(0.5)),
                        AttributeDescription(
                            "isRead", .boolean, key: nil, default: .boolean(false),
                            renamedFrom: "read"),
                        AttributeDescription(
                            "motto", .string, isOptional: true, key: "motto",
                            default: .string("say \"hi\"")),
                        AttributeDescription("secret", .string, key: "secret"),
                    ],
                    relationships: [
                        RelationshipDescription(
                            "author", to: "Person", key: "author", inverse: "books"),
                        RelationshipDescription(
                            "sequel", to: "Book", isOptional: true, key: "sequel_id"),
                        RelationshipDescription(
                            "readers", to: "Person", isToMany: true, isOrdered: true,
                            key: "readers", policy: .union),
                    ],
                    renamedFrom: "Tome"))
    }

    @Test func `takes the name from the macro`() {
        #expect(Library.Person.entityName == "Person")
        #expect(Writer.entityName == "Person")
        #expect(Writer.entityDescription.name == "Person")
    }

    @Test func `keeps the attributes in the order of the struct`() {
        #expect(
            Library.Book.entityDescription.attributes.map(\.name) == [
                "id", "title", "subtitle", "kind", "coverURL", "publishedAt", "pages", "weight",
                "isRead", "motto", "secret",
            ])
    }

    @Test func `makes a model of entities that lead to each other`() throws {
        let model = try Model(name: "Library", entities: Library.Book.self, Library.Person.self)
        #expect(model.entities.map(\.name).sorted() == ["Book", "Person"])
    }

    @Test func `reads what a store has of an object into its properties`() throws {
        let store = try Store.inMemory(entities: Library.Book.self, Library.Person.self)
        try store.import(Library.Book.self, from: Data(Library.json.utf8))
        let book = try #require(try store.first(Library.Book.where { $0.id == 7 }))
        #expect(book.title == "Walden")
        #expect(book.subtitle == nil)
        #expect(book.kind == .essay)
        #expect(book.coverURL == URL(string: "https://example.com/walden.png"))
        #expect(book.publishedAt == Date(timeIntervalSince1970: -3_660_000_000))
        #expect(book.pages == -1)
        #expect(book.weight == 0.25)
        #expect(!book.isRead)
        #expect(book.motto == nil)
        #expect(!book.isSecret)
        #expect(try book.author.fetch().name == "Thoreau")
        #expect(book.sequel != nil)
        #expect(try book.readers.fetch().map(\.name) == ["Zoe", "Ann"])
    }

    @Test func `asks by columns of all kinds`() throws {
        let store = try Store.inMemory(entities: Library.Book.self, Library.Person.self)
        try store.import(Library.Book.self, from: Data(Library.json.utf8))
        let found = try store.fetch(
            Library.Book.where {
                $0.kind == .essay && $0.author.name == "Thoreau" && $0.readers.count == 2
                    && $0.subtitle == nil && $0.sequel.id == 8 && $0.secret == .open
            })
        #expect(found.map(\.id) == [7])
        #expect(try store.count(Library.Book.where { $0.kind == .novel }) == 0)
    }

    @Test func `describes by the macro what is described by hand`() throws {
        #expect(Keywords.entityDescription == KeywordsByHand.entityDescription)
        #expect(Keywords.entityName == KeywordsByHand.entityName)
    }

    @Test func `makes entities that any isolation can use`() throws {
        let store = try Store.inMemory(entities: OnMainActor.self)
        try store.import(OnMainActor.self, from: Data(#"{ "x": 1, "y": "a", "z": 2 }"#.utf8))
        let found = try store.first(OnMainActor.where { $0.x == 1 && $0.y == "a" })
        #expect(found?.z == 2)
        #expect(OnMainActor.entityDescription.attributes.map(\.name) == ["x", "y", "z", "zz"])
    }

    @Test func `stores several properties of one declaration`() throws {
        let store = try Store.inMemory(entities: Point.self)
        let points: [Point] = try store.import(
            from: Data(#"[{ "x": 1, "y": 2, "name": "a" }, { "x": 1, "y": 3, "name": "b" }]"#.utf8))
        #expect(points.map(\.name) == ["a", "b"])
        try store.import(Point.self, from: Data(#"{ "x": 1, "y": 3, "name": "c" }"#.utf8))
        let found = try store.fetch(Point.all.sorted { $0.y.ascending })
        #expect(found.map(\.name) == ["a", "c"])
        #expect(Point.entityDescription.identity == ["x", "y"])
    }

    @Test func `keeps constants in the description in any spelling`() {
        #expect(
            Constants.entityDescription.attributes.map(\.defaultValue) == [
                .integer(31), .double(-1500), .double(2), .string("a\nb"), .string("x\ny"),
                .string("essay"), .string("essay"), .boolean(true), nil,
            ])
    }

    @Test func `leaves the memberwise initializer`() {
        let keywords = Keywords(default: true, self: 1, path: "a", columnPath: "b", entityName: "c")
        #expect(keywords.default)
        #expect(keywords.self.columnPath == "b")
        #expect(Simple(id: 3).id == 3)
    }

    @Test func `mixes members of the macro with members by hand`() {
        #expect(Mixed.entityName == "Blend")
        #expect(Mixed.entityDescription.name == "Blend")
        #expect(Mixed.entityDescription.attributes.map(\.name) == ["id"])
    }
}

// MARK: Entities

/// A namespace, so that entities use types of their surroundings.
private enum Library {
    enum Kind: String, AttributeValue {
        case novel, essay
    }

    @Entity(keys: .snakeCase, renamedFrom: "Tome")
    fileprivate struct Book {
        enum Secrecy: String, AttributeValue {
            case open
        }

        static let shelf = ["a"]

        @Identity var id: Int
        @Attribute(searchable: true) var title: String
        var subtitle: String?
        var kind: Kind = .novel
        var coverURL: URL?
        @Attribute("dates.published", .unix, indexed: true) var publishedAt: Date
        var pages = -1 {
            didSet { changes += [] }
        }
        var weight: Double = 0.5
        @Attribute(renamedFrom: "read", mapped: false) var isRead = false
        var motto: Optional<String> = "say \"hi\""
        private var secret: Secrecy
        @Relationship(inverse: "books") var author: One<Person>
        @Relationship("sequel_id") var sequel: One<Book>?
        @Relationship(policy: .union) var readers: LarderObjectStore.Many<Person>

        var changes: [String] {
            get { [] }
            set {}
        }

        var isSecret: Bool { secret != .open }
    }

    static let json = """
        {
            "id": 7, "title": "Walden", "kind": "essay", "weight": 0.25, "secret": "open",
            "cover_url": "https://example.com/walden.png", "motto": null,
            "dates": { "published": -3660000000 }, "author": { "name": "Thoreau" },
            "sequel_id": 8, "readers": [{ "name": "Zoe" }, { "name": "Ann" }]
        }
        """

    @Entity fileprivate struct Person {
        @Identity var name: String
        @Relationship(inverse: "author", ordered: false) var books: Many<Book>
    }
}

@Entity("Person") private struct Writer {
    var name: String
}

@Entity private struct Simple {
    @Identity var id: Int?
}

@Entity("Words") private struct Keywords {
    var `default`: Bool
    var `self`: Int
    var path: String
    var columnPath: String
    var entityName: String
}

/// What the macro writes for `Keywords`, as one would write it.
private struct KeywordsByHand: Entity {
    var isDefault: Bool

    static let entityName = "Words"

    static let entityDescription = EntityDescription(
        name: "Words", identity: [],
        attributes: [
            AttributeDescription("default", Bool.self, key: "default"),
            AttributeDescription("self", Int.self, key: "self"),
            AttributeDescription("path", String.self, key: "path"),
            AttributeDescription("columnPath", String.self, key: "columnPath"),
            AttributeDescription("entityName", String.self, key: "entityName"),
        ])

    struct Columns: EntityColumns {
        let isDefault: Column<Bool>

        init(path: ColumnPath) {
            isDefault = Column(path, "default")
        }
    }

    init(row: EntityRow) throws {
        isDefault = try row.attribute(0)
    }
}

@Entity @MainActor private struct OnMainActor {
    var x: Int
    let y: String
    var z, zz: Int?
}

@Entity private struct Point {
    @Identity let x: Int
    @Identity let y: Int
    let name: String
}

@Entity private struct Constants {
    var hexadecimal = 0x1F
    var exponent = -1.5e3
    var double: Double = 2
    var escape = "a\nb"
    var lines = """
        x
        y
        """
    var member: Library.Kind = .essay
    var qualified: Library.Kind? = Library.Kind.essay
    var truth: Bool? = true
    var nothing: Int? = nil
}

@Entity private struct Mixed {
    @Identity var id: Int

    static let entityName = "Blend"

    init(row: EntityRow) throws {
        id = try row.attribute(0)
    }
}
