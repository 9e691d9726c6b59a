import Foundation

@testable import LarderObjectStore

/// Entities with searchable attributes, some of them in one table.
enum Magazine {
    static let types: [any Entity.Type] = [
        Article.self, Columnist.self, Notice.self, Quotation.self,
    ]

    static let articles = """
        [{"id": 1, "title": "Crash on launch", "text": "The app crashes when the café opens.",
          "stars": 3, "columnist": {"name": "Ann Lee"}},
         {"id": 2, "title": "Slow search", "text": "A search for crash takes long. Crash! crash",
          "stars": 5, "columnist": {"name": "Bob"}},
         {"id": 3, "title": "Wörter 🦸 zählen", "text": null, "stars": 1, "columnist": "Bob"},
         {"id": 4, "title": "foo-bar", "text": "bar foo"}]
        """

    static func fixture() throws -> StoreFixture {
        let fixture = try StoreFixture(Model(entities: types))
        try fixture.insert("Article", articles)
        return fixture
    }

    /// The identities of the articles that a query finds.
    static func found(_ query: Query<Article>, in store: some ObjectReading) throws -> [Int] {
        try store.read { try $0.fetch(query).map(\.id) }
    }
}

@Entity struct Article {
    @Identity var id: Int
    @Attribute(searchable: true) var title: String
    @Attribute(searchable: true) var text: String?
    var stars: Int?
    @Relationship(inverse: "articles") var columnist: One<Columnist>?
}

@Entity struct Columnist {
    @Identity @Attribute(searchable: true) var name: String
    @Relationship(inverse: "columnist", ordered: false) var articles: Many<Article>
}

@Entity(abstract: true, mapper: EntityMapper(key: "type", values: ["q": "Quotation"]))
struct Posting {
    @Identity var id: Int
}

@Entity(parent: Posting.self, mapper: EntityMapper(key: "type", values: ["q": "Quotation"]))
struct Notice {
    @Inherited var id: Int
    @Attribute(searchable: true) var body: String
}

@Entity(parent: Notice.self) struct Quotation {
    @Inherited var id: Int
    @Inherited var body: String
    @Attribute(searchable: true) var source: String
}

extension Store {
    /// Throws where a full-text index does not hold exactly what the objects do.
    func checkSearch(_ entity: String) throws {
        let name = "\(entity).$search".sqlName
        try withWriter { connection in
            try connection.execute(
                "INSERT INTO \(name) (\(name), rank) VALUES ('integrity-check', 1)")
            let pending = "\(entity).$unindexed".sqlName
            guard try connection.number("SELECT count(*) FROM \(pending)") == 0 else {
                throw StoreError(.damaged, "rows were not indexed")
            }
        }
    }
}
