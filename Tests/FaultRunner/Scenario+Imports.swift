import Foundation
import LarderObjectStore

extension Scenario {
    /// Reading, and JSON that is stored.
    static let imports: [Scenario] = [
        Scenario("open"),
        Scenario("read") { store, _ in
            let books = try store.fetch(Book.where { $0.author.name == "Author 3" })
            guard books.count == 9 else { throw Wrong("\(books.count) books of author 3") }
        },
        Scenario("import-one") { store, _ in
            try store.import(Book.self, from: Library.book(1_000))
        },
        Scenario("import-new") { store, _ in
            try store.import(Many<Book>.self, from: Library.books(60..<100))
        },
        Scenario("import-same") { store, _ in
            try store.import(Many<Book>.self, from: Library.books(0..<60))
        },
        Scenario("import-changed") { store, _ in
            try store.import(Many<Book>.self, from: Library.books(20..<60, edition: 1))
        },
        Scenario("import-much") { store, _ in
            try store.import(Many<Book>.self, from: Library.books(0..<200, edition: 2))
        },
        Scenario(
            "import-twice",
            steps: [
                { store, _ in
                    try store.import(Many<Book>.self, from: Library.books(60..<80))
                },
                { store, _ in
                    try store.import(Many<Book>.self, from: Library.books(60..<100, edition: 1))
                },
            ]),
        Scenario("import-refused") { store, _ in
            let wrong = Data(#"[{"id":900,"title":"x","pages":1},{"id":901,"title":null}]"#.utf8)
            try refused { try store.import(Many<Book>.self, from: wrong) }
        },
        Scenario("import-wrapper") { store, _ in
            let json =
                #"{"count":2,"books":\#(String(decoding: Library.books(70..<72), as: UTF8.self))}"#
            let page = try store.import(Shipment.self, from: Data(json.utf8))
            guard page.count == 2 else { throw Wrong("another count") }
        },
        Scenario(
            "import-family", after: prepareNothing, opening: openFamily, steps: [insertFamily]),
        Scenario(
            "change-family",
            after: { workplace in
                let store = try openFamily(workplace, .impatient)
                try insertFamily(store, workplace)
                try store.close()
            }, opening: openFamily,
            steps: [
                { store, _ in
                    try store.import(Many<Item>.self, from: Library.items(10..<40, edition: 1))
                },
                { store, _ in try store.delete(Song.where { $0.id < 20 }) },
            ]),
        Scenario("inner-failure") { store, _ in
            try store.write { context in
                try context.import(Book.self, from: JSONDocument(Library.book(1_000)).root)
                let wrong = try JSONDocument(Data(#"{"id":1001,"title":[]}"#.utf8)).root
                try refused { try context.import(Book.self, from: wrong) }
            }
        },
    ]

    private static let openFamily: Opening = { workplace, configuration in
        try Store(
            at: workplace.path, entities: Film.self, Song.self, configuration: configuration)
    }

    private static let insertFamily: Step = { store, _ in
        try store.import(Many<Item>.self, from: Library.items(0..<30))
    }

    /// Runs a body that must fail because of what it is given.
    static func refused(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch is MappingError {
            return
        }
        throw Wrong("what does not fit was taken")
    }
}
