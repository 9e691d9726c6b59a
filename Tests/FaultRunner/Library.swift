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
            "batch":\(batch),"text":"\(String(repeating: "word\(id) ", count: 40))",\
            "author":{"id":\(id % 7),"name":"Author \(id % 7)"},\
            "tags":[{"name":"tag\((id + edition) % 5)"},"tag\((id + edition + 1) % 5)"]}
            """
        }
        return Data("[\(books.joined(separator: ","))]".utf8)
    }

    /// The same entities one version later: a new attribute, a new name, and a looser one.
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
                "text": "string?", "rating": { "type": "double", "default": 2.5 }
              },
              "relationships": {
                "author": { "to": "Author", "optional": true, "inverse": "books" },
                "tags": { "to": "Tag", "many": true, "ordered": true }
              }
            },
            "Author": {
              "identity": ["id"],
              "attributes": { "id": "integer", "name": "string?", "born": "date?" },
              "relationships": {
                "books": { "to": "Book", "many": true, "inverse": "author", "delete": "cascade" }
              }
            },
            "Tag": { "identity": ["name"], "attributes": { "name": "string" } },
            "Shelf": { "identity": ["id"], "attributes": { "id": "integer" } }
          }
        }
        """

    static func openLater(_ path: String) throws -> Store {
        let model = try Model(json: Data(laterModel.utf8), name: "Library")
        return try Store(at: path, model: model, configuration: .impatient)
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
    @Relationship(inverse: "books") var author: One<Author>?
    var tags: Many<Tag>
}

@Entity struct Author {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "author", ordered: false, delete: .cascade) var books: Many<Book>
}

@Entity struct Tag {
    @Identity var name: String
}
