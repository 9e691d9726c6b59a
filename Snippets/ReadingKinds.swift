// A list of several kinds of objects, by a type that decides what it imports.

import Foundation
import Larder

@Entity struct Article {
    @Identity var id: Int
    var title: String
}

@Entity struct Photo {
    @Identity var id: Int
    var url: URL
}

// snippet.importable
/// What a feed has: `{"kind": "photo", "item": {"id": 7, "url": "https://…"}}`.
enum FeedItem: Importable {
    case article(Article)
    case photo(Photo)
    /// One of a kind that is not known, or that does not fit.
    case other(kind: String)

    static func `import`(from value: JSONValue, in context: Context) throws -> FeedItem {
        let kind = value["kind"]?.string ?? ""
        guard let item = value["item"] else { return .other(kind: kind) }
        switch kind {
        case "article":
            return .article(try Article.import(from: item, in: context))
        case "photo":
            do {
                return .photo(try context.import(Photo.self, from: item))
            } catch is MappingError {
                return .other(kind: kind)
            }
        default:
            return .other(kind: kind)
        }
    }
}

// snippet.hide
let store = try Store.inMemory(entities: Article.self, Photo.self)
let json = #"""
    [{"kind": "article", "item": {"id": 1, "title": "It rains"}},
     {"kind": "photo", "item": {"id": 7}}, {"kind": "poll"}]
    """#
for item in try store.import([FeedItem].self, from: json) { print(item) }
