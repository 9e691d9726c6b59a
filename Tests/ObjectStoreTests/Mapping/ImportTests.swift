import Foundation
import Testing

@testable import LarderObjectStore

/// Parts of a response that can't be written, whose errors are caught by whoever is made of it.
struct ImportTests {
    private let store: Store

    init() throws { store = try Self.library() }

    private static func library() throws -> Store {
        try Store.inMemory(
            entities: Shelf.self, Author.self, Book.self, Tag.self, Loan.self, Remark.self)
    }

    /// All objects and references, with their links.
    private static func contents(of store: Store) throws -> [String] {
        try ["Shelf", "Author", "Book", "Tag"].flatMap { name in
            try [DynamicQuery(name), DynamicQuery(name).references()].map {
                String(
                    decoding: try store.json($0, relationships: .identities), as: UTF8.self)
            }
        }
    }

    private static func root(_ text: String) throws -> JSONValue { try JSONDocument(text).root }

    private static func books() throws -> JSONValue { try #require(root(half)["books"]) }

    // MARK: Wrappers

    private struct Mapped: MappedWrapper {
        var tags: Many<Tag>?
        var books: Many<Book>?
        var shelves: Many<Shelf>?
        var more: Many<Book>?
        var caught = 0

        mutating func map(_ map: WrapperMap) throws {
            do { try map.read(&tags, at: "tags") } catch { caught += 1 }
            do { try map.read(&books, at: "books") } catch { caught += 1 }
            do { try map.read(&shelves, at: "shelves") } catch { caught += 1 }
            do { try map.read(&more, at: "more") } catch { caught += 1 }
        }
    }

    private struct Decoded: Wrapper {
        @Stored var books: Many<Book>?
        @Stored var shelves: Many<Shelf>?
        let title: String?

        private enum Key: String, CodingKey {
            case books, shelves, title
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let books = try? container.decode(Stored<Many<Book>?>.self, forKey: .books)
            _books = books ?? Stored(wrappedValue: nil)
            let shelves = try? container.decode(Stored<Many<Shelf>?>.self, forKey: .shelves)
            _shelves = shelves ?? Stored(wrappedValue: nil)
            title = try? container.decode(String.self, forKey: .title)
        }
    }

    private static let half = """
        {"title": 5, "books": [
            {"id": 1, "title": "a", "author": {"id": 1, "name": "A"}, "tags": [{"name": "x"}]},
            {"id": 2, "title": "b", "author": 1, "tags": [{"name": "y"}, {"name": "z"}]},
            {"id": 3, "title": null, "author": 1}],
         "shelves": [{"id": 1, "name": null}]}
        """

    @Test func `nothing is left of a response of which a part can not be written`() throws {
        try store.import(
            Many<Book>.self,
            from: Data(
                #"[{"id": 1, "title": "o", "author": {"id": 1, "name": "A"}, "tags": ["o"]}]"#.utf8)
        )
        let before = try Self.contents(of: store)
        let data = Data(Self.half.utf8)
        for error in [
            #expect(throws: MappingError.self) { try store.import(Mapped.self, from: data) },
            #expect(throws: MappingError.self) { try store.import(Decoded.self, from: data) },
        ] {
            // The first part's error, not that of those behind it.
            #expect(error?.path == "$.books[2].title")
            #expect(try Self.contents(of: store) == before)
        }
    }

    private struct Inner: MappedWrapper {
        var tags: Many<Tag>?
        var title = ""

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&tags, at: "tags")
            try map.read(&title, at: "title")
        }
    }

    private struct Outer: MappedWrapper {
        var inner = Inner()
        var all: [Inner] = []

        mutating func map(_ map: WrapperMap) throws {
            do { try map.read(&inner, at: "inner") } catch {}
            do { try map.read(&all, at: "all") } catch {}
        }
    }

    private struct ByHand: Wrapper {
        struct Part: Wrapper {
            @Stored var tags: Many<Tag>
            let title: String
        }

        let part: Part?

        private enum Key: CodingKey { case part }

        init(from decoder: any Decoder) throws {
            part = try? decoder.container(keyedBy: Key.self).decode(Part.self, forKey: .part)
        }
    }

    @Test func `so is one that is decoded by hand`() throws {
        let error = #expect(throws: DecodingError.self) {
            try store.import(
                ByHand.self, from: Data(#"{"part": {"tags": [{"name": "x"}], "title": 5}}"#.utf8))
        }
        #expect(error.map { "\($0)" }?.contains("title") == true)
        #expect(try store.count(Tag.all) == 0)
    }

    @Test(arguments: [
        #"{"inner": {"tags": [{"name": "x"}], "title": 5}}"#,
        #"{"all": [{"tags": [{"name": "x"}], "title": "a"}, {"title": []}]}"#,
    ])
    func `a wrapper inside another is written as a whole, too`(_ text: String) throws {
        #expect(throws: DecodingError.self) {
            try store.import(Outer.self, from: Data(text.utf8))
        }
        #expect(try store.count(Tag.all) == 0)
    }

    @Test(arguments: [#"{"all": {"title": "a"}}"#, #"{"inner": []}"#, #"{"inner": {"title": 5}}"#])
    func `one that has written nothing may be wrong`(_ text: String) throws {
        let outer = try store.import(Outer.self, from: Data(text.utf8))
        #expect(outer.inner.title == "" && outer.all.isEmpty)
    }

    /// One of two forms, told by trying.
    private enum Reply: Wrapper {
        case part(ByHand.Part)
        case problem(String)

        private enum Key: CodingKey { case error }

        init(from decoder: any Decoder) throws {
            if let part = try? decoder.singleValueContainer().decode(ByHand.Part.self) {
                self = .part(part)
            } else {
                let container = try decoder.container(keyedBy: Key.self)
                self = .problem(try container.decode(String.self, forKey: .error))
            }
        }
    }

    @Test func `a response may be of one of several forms`() throws {
        let reply = try store.import(Reply.self, from: Data(#"{"error": "none"}"#.utf8))
        guard case .problem("none") = reply else { throw StoreError(.sqlite, "\(reply)") }
        let other = try store.import(
            Reply.self, from: Data(#"{"tags": [{"name": "x"}], "title": "t"}"#.utf8))
        guard case .part(let part) = other else { throw StoreError(.sqlite, "\(other)") }
        #expect(try part.tags.count == 1)
    }

    @Test func `a value that is not stored may be wrong`() throws {
        let decoded = try store.import(
            Decoded.self, from: Data(#"{"title": 5, "books": [], "shelves": null}"#.utf8))
        #expect(decoded.title == nil)
    }

    @Test func `what is caught outside of the insert is taken back, and no more`() throws {
        try store.write { context in
            try context.import(Tag.self, from: Self.root(#"{"name": "before"}"#))
            for _ in 0..<2 {
                #expect(throws: MappingError.self) {
                    try context.import(Mapped.self, from: Self.root(Self.half))
                }
            }
            try context.savepoint {
                _ = try? context.import(Mapped.self, from: Self.root(Self.half))
                try context.import(Tag.self, from: Self.root(#"{"name": "inside"}"#))
            }
            #expect(throws: MappingError.self) {
                try context.import("Book", from: Self.books())
            }
            try context.import("Tag", from: Self.root(#"{"name": "behind"}"#))
            #expect(context.report.total.inserted == 3)
        }
        #expect(try store.fetch(Tag.all).map(\.name).sorted() == ["before", "behind", "inside"])
        #expect(try store.count(Book.all) + store.count(Author.all) == 0)
    }

    @Test func `an entity that is asked to insert itself is a whole`() throws {
        try store.write { context in
            let books = try Self.books()
            #expect(throws: MappingError.self) { try Many<Book>.import(from: books, in: context) }
            #expect(throws: MappingError.self) { try [Book].import(from: books, in: context) }
            #expect(try Many<Tag>.import(from: Self.root(#"["x"]"#), in: context).count == 1)
        }
        #expect(try store.count(Book.all) + store.count(Author.all) == 0)
        #expect(try store.count(Tag.references) == 1)
    }

    // MARK: Insertables of one's own

    /// Books, if what stands there is any.
    private struct Either: Importable {
        let books: Many<Book>?

        static func `import`(from value: JSONValue, in context: Context) throws -> Either {
            Either(books: try? Many<Book>.import(from: value, in: context))
        }
    }

    /// The same, where the books are tried as a whole.
    private struct Tried: Importable {
        let books: Many<Book>?

        static func `import`(from value: JSONValue, in context: Context) throws -> Tried {
            try context.import(Tag.self, from: root(#"{"name": "tried"}"#))
            return Tried(books: try? context.import(from: value))
        }
    }

    /// The same, caught inside of what is tried.
    private struct Inside: Importable {
        static func `import`(from value: JSONValue, in context: Context) throws -> Inside {
            _ = try? context.savepoint {
                _ = try? Many<Book>.import(from: value, in: context)
                try context.import(Tag.self, from: root(#"{"name": "lost"}"#))
            }
            try context.import(Tag.self, from: root(#"{"name": "tried"}"#))
            return Inside()
        }
    }

    @Test func `falling back to something else needs an insert of its own`() throws {
        try store.write { context in
            let books = try Self.books()
            #expect(throws: MappingError.self) { try context.import(Either.self, from: books) }
            #expect(try store.count(Book.all) + store.count(Tag.all) == 0)
            #expect(try context.import(Tried.self, from: books).books == nil)
            _ = try context.import(Inside.self, from: books)
        }
        #expect(try store.count(Book.all) + store.count(Author.all) == 0)
        #expect(try store.fetch(Tag.all).map(\.name) == ["tried"])
    }

    // MARK: What is written by code

    /// A way to write something in code.
    enum Writing: String, CaseIterable {
        case save, saveMany, insert, update, updateQuery, delete, deleteQuery, deleteRecords, edit,
            transaction

        func write(in context: Context) throws {
            let (new, old) = (Tag(name: "new"), Tag(name: "old", color: "red"))
            switch self {
            case .save: try context.save(new)
            case .saveMany: try context.save([new, old])
            case .insert: try context.insert(new)
            case .update: try context.update(old)
            case .updateQuery: try context.update(Tag.all) { $0.color.set("red") }
            case .delete: try context.delete(old)
            case .deleteQuery: try context.delete(Tag.all)
            case .deleteRecords: try context.delete(DynamicQuery("Tag"))
            case .edit: try context.edit(\.tags, of: One<Book>(id: 1)).removeAll()
            case .transaction: try context.savepoint { try context.save(new) }
            }
        }
    }

    /// What writes as its JSON says, and fails then where the JSON says so.
    private struct ByCode: Importable {
        static func `import`(from value: JSONValue, in context: Context) throws -> ByCode {
            try #require(Writing(rawValue: value["writing"]?.string ?? "")).write(in: context)
            if value["fails"]?.bool == true { throw StoreError(.sqlite, "by hand") }
            return ByCode()
        }
    }

    private struct AroundCode: Wrapper {
        @Stored var part: ByCode
        let title: String
    }

    /// Places where the error of a part that is written by code can be caught.
    private struct InWrapper: Wrapper {
        private enum Key: CodingKey { case part }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            _ = try? container.decode(AroundCode.self, forKey: .part)
        }
    }

    private struct InStored: Wrapper {
        private enum Key: CodingKey { case part }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            _ = try? container.decode(Stored<ByCode>.self, forKey: .part)
        }
    }

    private struct InMap: MappedWrapper {
        var part: ByCode?

        mutating func map(_ map: WrapperMap) throws {
            do { try map.read(&part, at: "part") } catch {}
        }
    }

    @Test(arguments: Writing.allCases)
    func `nothing is left of a caught part that is written by code`(_ writing: Writing) throws {
        try store.import(
            Book.self,
            from: Data(
                """
                {"id": 1, "title": "o", "author": {"id": 1, "name": "A"},
                 "tags": [{"name": "old", "color": "blue"}]}
                """.utf8))
        let before = try Self.contents(of: store)
        let untitled = Data(#"{"part": {"part": {"writing": "\#(writing)"}}}"#.utf8)
        #expect(throws: DecodingError.self) { try store.import(InWrapper.self, from: untitled) }
        #expect(try Self.contents(of: store) == before)
        let failing = Data(#"{"part": {"writing": "\#(writing)", "fails": true}}"#.utf8)
        #expect(throws: StoreError.self) { try store.import(InStored.self, from: failing) }
        #expect(try Self.contents(of: store) == before)
        #expect(throws: StoreError.self) { try store.import(InMap.self, from: failing) }
        #expect(try Self.contents(of: store) == before)
        let sound = Data(#"{"part": {"writing": "\#(writing)"}}"#.utf8)
        _ = try store.import(InMap.self, from: sound)
        #expect(try Self.contents(of: store) != before)
    }

    /// What has tried to write, in vain, and fails then.
    private struct InVain: Importable {
        static func `import`(from value: JSONValue, in context: Context) throws -> InVain {
            _ = try? context.import(Many<Book>.self, from: books())
            _ = try? context.savepoint {
                try context.save(Tag(name: "lost", color: nil))
                throw StoreError(.sqlite, "by hand")
            }
            throw StoreError(.sqlite, "by hand")
        }
    }

    private struct AroundVain: MappedWrapper {
        var part: InVain?
        var tags: Many<Tag>?

        mutating func map(_ map: WrapperMap) throws {
            do { try map.read(&part, at: "part") } catch {}
            try map.read(&tags, at: "tags")
        }
    }

    @Test func `a part that has written in vain may be wrong`() throws {
        let data = Data(#"{"part": 1, "tags": [{"name": "behind"}]}"#.utf8)
        _ = try store.import(AroundVain.self, from: data)
        #expect(try store.fetch(Tag.all).map(\.name) == ["behind"])
        #expect(try store.count(Book.all) == 0)
    }

    // MARK: Law

    @Test func `random responses are stored whole or not at all`() throws {
        var (accepted, refused) = (0, 0)
        for seed in 0..<150 {
            var random = SplitMix64(seed: UInt64(seed))
            let (store, other) = (try Self.library(), try Self.library())
            var whole: [String] = []
            try store.write { context in
                for _ in 0..<4 {
                    let text = Self.response(&random)
                    func insert() throws {
                        let parts = try context.import(Mapped.self, from: Self.root(text))
                        #expect(parts.caught == 0, "\(text)")
                    }
                    do {
                        if Bool.random(using: &random) {
                            try context.savepoint(insert)
                        } else {
                            try insert()
                        }
                        whole.append(text)
                    } catch is MappingError {
                        refused += 1
                    }
                }
            }
            accepted += whole.count
            for text in whole { try other.import(Mapped.self, from: Data(text.utf8)) }
            #expect(try Self.contents(of: store) == Self.contents(of: other), "seed \(seed)")
            #expect(try store.checkIntegrity().isSound)
        }
        #expect(accepted > 100 && refused > 100, "\(accepted) accepted, \(refused) refused")
    }

    private static func response(_ generator: inout SplitMix64) -> String {
        var random = generator
        defer { generator = random }
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        func number() -> Int { Int.random(in: 1...3, using: &random) }
        func list(_ element: () -> String) -> String {
            "[" + (0..<number()).map { _ in element() }.joined(separator: ", ") + "]"
        }
        func tag() -> String { chance(50) ? #""t\#(number())""# : #"{"name": "t\#(number())"}"# }
        func author() -> String {
            chance(20) ? "\(number())" : #"{"id": \#(number()), "name": "n"}"#
        }
        func book() -> String {
            var members = [#""id": \#(number())"#]
            if !chance(3) { members.append(#""title": \#(chance(3) ? "null" : "\"b\"")"#) }
            if !chance(3) { members.append(#""author": \#(author())"#) }
            if chance(60) { members.append(#""tags": \#(list(tag))"#) }
            if chance(30) { members.append(#""similar": [\#(number())]"#) }
            return "{\(members.joined(separator: ", "))}"
        }
        func shelf() -> String {
            #"{"id": \#(number()), "name": \#(chance(5) ? "7" : "\"s\""), "books": \#(list(book))}"#
        }
        var parts: [String] = []
        for (key, element) in [("books", book), ("more", book), ("shelves", shelf), ("tags", tag)]
        where chance(50) {
            parts.append(#""\#(key)": \#(list(element))"#)
        }
        return "{\(parts.joined(separator: ", "))}"
    }

    /// Tries each of an array's elements.
    private struct Attempts<Part: Importable>: Importable {
        var parts: [Part] = []
        var lost = 0

        static func `import`(from value: JSONValue, in context: Context) throws -> Attempts {
            var tried = Attempts()
            try value.forEachElement { element in
                if let part = try? context.import(Part.self, from: element) {
                    tried.parts.append(part)
                } else {
                    tried.lost += 1
                }
            }
            return tried
        }
    }

    private struct OwnersFirst: MappedWrapper {
        var owners = Many<Author>()
        var tags = Attempts<Tag>()
        var authors = Many<Author>()

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&owners, at: "owners")
            try map.read(&tags, at: "tags")
            try map.read(&authors, at: "authors")
        }
    }

    @Test func `a part that is tried is not blamed for what came before it`() throws {
        let before = try Self.contents(of: store)
        #expect(throws: MappingError.self) {
            try store.import(
                OwnersFirst.self,
                from: Data(
                    #"{"owners":[{"id":1}],"tags":[{"id":1,"name":"a"}],"authors":[{"id":1,"name":"ann"}]}"#
                        .utf8))
        }
        #expect(try Self.contents(of: store) == before)
    }
}
