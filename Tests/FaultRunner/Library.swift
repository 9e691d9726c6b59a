import Foundation
import LarderObjectStore

/// What the scenarios store: books with authors and tags.
enum Library {
    static func open(
        _ path: String, _ configuration: Store.Configuration = .impatient
    ) throws -> Store {
        try Store(
            at: path, entities: Book.self, Author.self, Tag.self, configuration: configuration)
    }

    /// Books of one batch as JSON; another `edition` has other titles, pages and tags.
    static func books(_ range: Range<Int>, batch: Int = 0, edition: Int = 0) -> Data {
        let books = range.map { id in
            """
            {"id":\(id),"title":"Book \(id) of edition \(edition)","pages":\(100 + edition),\
            "batch":\(batch),"added":"2024-05-\(10 + id % 20)T12:00:00Z","text":"\(String(repeating: "word\(id) ", count: 40))",\
            "author":{"id":\(id % 7),"name":"Author \(id % 7)"},\
            "tags":[{"name":"tag\((id + edition) % 5)"},"tag\((id + edition + 1) % 5)"]}
            """
        }
        return Data("[\(books.joined(separator: ","))]".utf8)
    }

    /// A book that stands alone.
    static func book(_ id: Int) -> Data {
        Data(books(id..<(id + 1)).dropFirst().dropLast())
    }

    /// Films and songs by turns; another `edition` has other names.
    static func items(_ range: Range<Int>, edition: Int = 0) -> Data {
        let items = range.map { id in
            """
            {"kind":"\(id % 2 == 0 ? "film" : "song")","id":\(id),"minutes":\(id),\
            "name":"Item \(id) of edition \(edition)","verse":"la la \(id)"}
            """
        }
        return Data("[\(items.joined(separator: ","))]".utf8)
    }

    /// Notes to search; another `edition` has other words.
    static func notes(_ range: Range<Int>, edition: Int = 0) -> Data {
        let notes = range.map { id in
            """
            {"id":\(id),"title":"Note \(id), \(id % 2 == 0 ? "even" : "odd")",\
            "text":"of edition \(edition), \(String(repeating: "word\(id + edition) ", count: 30))"}
            """
        }
        return Data("[\(notes.joined(separator: ","))]".utf8)
    }

    /// The same entities one version later: new attributes and relationships, a new name, and a looser
    /// attribute.
    static let laterModel = """
        {
          "name": "Library",
          "entities": {
            "Book": {
              "identity": ["id"],
              "attributes": {
                "id": "integer",
                "heading": { "type": "string", "renamedFrom": "title", "indexed": true },
                "pages": "integer?", "batch": { "type": "integer", "default": 0 },
                "text": "string?", "added": "date?", "rating": { "type": "double", "default": 2.5 }
              },
              "relationships": {
                "sequel": { "to": "Book", "optional": true },
                "author": { "to": "Author", "optional": true, "inverse": "books" },
                "tags": { "to": "Tag", "many": true, "ordered": true }
              }
            },
            "Author": {
              "identity": ["id"],
              "fetchedAt": true,
              "attributes": { "id": "integer", "name": "string?", "born": "date?" },
              "relationships": {
                "books": { "to": "Book", "many": true, "inverse": "author", "delete": "cascade" }
              }
            },
            "Tag": { "identity": ["name"], "attributes": { "name": "string" } },
            "Shelf": {
              "identity": ["id"],
              "attributes": { "id": "integer" },
              "relationships": { "tags": { "to": "Tag", "many": true, "ordered": true } }
            }
          }
        }
        """

    static func openLater(
        _ path: String, _ configuration: Store.Configuration = .impatient
    ) throws -> Store {
        let model = try Model(json: Data(laterModel.utf8), name: "Library")
        return try Store(at: path, model: model, configuration: configuration)
    }

    static func rebuild(_ path: String, _ configuration: Store.Configuration) throws -> Store {
        try Store.rebuild(
            at: path, entities: Book.self, Author.self, Tag.self, configuration: configuration
        ).store
    }
}

extension Store.Configuration {
    /// Nobody else is there whom it would help to wait for.
    static var impatient: Store.Configuration {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .zero
        return configuration
    }
}

@Entity struct Book {
    @Identity var id: Int
    var title: String
    var pages: Int
    var batch = 0
    var text: String?
    var added: Date?
    @Relationship(inverse: "books") var author: One<Author>?
    var tags: Many<Tag>
}

@Entity(fetchedAt: true) struct Author {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "author", ordered: false, delete: .cascade) var books: Many<Book>
}

@Entity struct Tag {
    @Identity var name: String
}

@Entity struct Note {
    @Identity var id: Int
    @Attribute(searchable: true) var title: String
    @Attribute(searchable: true) var text: String?
}

@Entity(
    abstract: true, mapper: EntityMapper(key: "kind", values: ["film": "Film", "song": "Song"])
)
struct Item {
    @Identity var id: Int
    var name: String
}

@Entity(parent: Item.self) struct Film {
    @Inherited var id: Int
    @Inherited var name: String
    var minutes: Int
}

@Entity(parent: Item.self) struct Song {
    @Inherited var id: Int
    @Inherited var name: String
    var verse: String
}

/// Books that come with a number, which is only handed over.
struct Shipment: Wrapper {
    var count: Int
    @Stored var books: Many<Book>
}
