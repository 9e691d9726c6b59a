import Foundation
import Testing

@testable import LarderObjectStore

/// Arrays that are mapped some elements at a time.
struct MapperLongArrayTests {
    private static func root(_ json: String, longArray: Int = 0) throws -> JSONValue {
        try JSONDocument(mapped: json.utf8, longArray: longArray).root
    }

    @Test func `an object that is met in many parts counts once`() throws {
        let fixture = try Comics.fixture()
        let heroes = (1...40).map {
            #"{"id": \#($0), "name": "H", "publisher": {"id": \#($0 % 3), "name": "P"}}"#
        }
        let json = "[\(heroes.joined(separator: ", "))]"
        let first = try fixture.insert("Hero", Self.root(json, longArray: 100))
        #expect(first["Hero"] == .init(40, 0, 0))
        #expect(first["Publisher"] == .init(3, 0, 0))
        let again = try fixture.insert("Hero", Self.root(json, longArray: 100))
        #expect(again["Hero"] == .init(0, 0, 40))
        #expect(again["Publisher"] == .init(0, 0, 3))
    }

    @Test func `the last word about an object counts, in whichever part`() throws {
        let fixture = try Comics.fixture()
        let json = #"""
            [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}, {"id": 1, "name": "C"},
             {"id": 1, "name": "A"}, {"id": 2, "name": "B"}]
            """#
        let report = try fixture.insert("Publisher", Self.root(json))
        #expect(report["Publisher"] == .init(2, 0, 0))
        #expect(try fixture.rows("SELECT id, name FROM Publisher") == ["1|A", "2|B"])
    }

    @Test func `references lead to objects of other parts`() throws {
        let fixture = try Comics.fixture()
        let json = #"""
            [{"id": 1, "name": "A", "mentor": 3, "powers": ["x", "y"]},
             {"id": 2, "name": "B", "mentor": 1, "powers": ["y", {"id": "x", "name": "X"}]},
             {"id": 3, "name": "C", "powers": [{"id": "y", "name": "Y"}]}]
            """#
        let report = try fixture.insert("Hero", Self.root(json))
        #expect(report["Hero"].inserted == 3)
        #expect(report["Power"].inserted == 2)
        #expect(try fixture.rows("SELECT id, mentor FROM Hero") == ["1|3", "2|1", "3|NULL"])
        #expect(try fixture.rows("SELECT id, name FROM Power ORDER BY id") == ["x|X", "y|Y"])
    }

    @Test func `what is missing may come in a later part`() throws {
        let fixture = try Comics.fixture()
        let json = #"[{"id": 1, "strength": 2}, {"id": 2, "name": "B"}, {"id": 1, "name": "A"}]"#
        try fixture.insert("Hero", Self.root(json))
        #expect(try fixture.rows("SELECT id, name, strength FROM Hero") == ["1|A|2.0", "2|B|NULL"])
    }

    @Test func `what never comes is an error that names the first place`() throws {
        let fixture = try Comics.fixture()
        let json = #"[{"id": 2, "name": "B"}, {"id": 1, "strength": 2}, {"id": 1, "strength": 3}]"#
        let error = #expect(throws: MappingError.self) {
            try fixture.insert("Hero", Self.root(json))
        }
        #expect(error?.path == "$[1]")
        #expect(error?.attribute == "name")
        #expect(error?.search?.found == ["id", "strength"])
        #expect(try fixture.rows("SELECT * FROM Hero").isEmpty)
    }

    @Entity struct Shelf {
        @Identity var id: Int
        var best: One<Volume>?
        @Relationship(inverse: "shelf", ordered: false) var volumes: Many<Volume>
    }

    @Entity struct Volume {
        @Identity var id: Int
        var title: String
        @Relationship(inverse: "volumes") var shelf: One<Shelf>
    }

    @Test(arguments: [0, 20, 60, 80, 200, 10_000])
    func `a reference that has lost its owner is no object of what is missing`(
        _ longArray: Int
    ) throws {
        let fixture = try StoreFixture(entities: Shelf.self, Volume.self)
        try fixture.insert("Shelf", #"{"id": 1, "volumes": [5]}"#)
        let json = #"""
            [{"id": 1, "volumes": []}, {"id": 2, "best": {"id": 5, "title": "T"}},
             {"id": 3, "volumes": []}]
            """#
        let error = #expect(throws: MappingError.self) {
            try fixture.insert("Shelf", Self.root(json, longArray: longArray))
        }
        #expect(error?.path == "$[1].best")
        #expect(error?.attribute == "shelf")
        #expect(try fixture.rows("SELECT id, title, shelf FROM Volume") == ["5|NULL|1"])
    }

    @Test func `an error names the place from the document's root`() throws {
        let fixture = try Comics.fixture()
        let json = #"""
            {"id": 1, "name": "P", "heroes": [{"id": 1, "name": "A"},
             {"id": 2, "name": "B", "powers": [{"id": "x", "name": "X"}, {"id": "y", "name": 7}]}]}
            """#
        for longArray in [0, 50, 1000] {
            let error = #expect(throws: MappingError.self) {
                try fixture.insert("Publisher", Self.root(json, longArray: longArray))
            }
            #expect(error?.path == "$.heroes[1].powers[1].name")
        }
        #expect(try fixture.rows("SELECT * FROM Publisher").isEmpty)
    }

    @Test func `a long relationship belongs to its owner`() throws {
        let fixture = try Comics.fixture()
        let heroes = (1...30).map { #"{"id": \#($0), "name": "H\#($0)", "powers": ["a", "b"]}"# }
        let json = """
            [{"id": 1, "heroes": [\(heroes.joined(separator: ","))], "name": "P"},
             {"id": 2, "name": "Q", "heroes": []}]
            """
        let report = try fixture.insert("Publisher", Self.root(json, longArray: 64))
        #expect(report["Publisher"].linked == 30)
        #expect(report["Hero"].linked == 60)
        #expect(
            try fixture.rows("SELECT count(*), min(publisher), max(publisher) FROM Hero")
                == ["30|1|1"])
        let fewer = #"{"id": 1, "heroes": [{"id": 30}, {"id": 7}, {"id": 30}]}"#
        let second = try fixture.insert("Publisher", Self.root(fewer))
        #expect(second["Publisher"].unlinked == 28)
    }

    @Test func `more texts than there is room for are written again, and count once`() throws {
        let fixture = try Comics.fixture()
        let name = String(repeating: "n", count: 3000)
        let publishers = (0..<1600).map { #"{"id": \#($0), "name": "\#(name)"}"# }
        let json = "[\((publishers + publishers).joined(separator: ","))]"
        let report = try fixture.insert("Publisher", Self.root(json, longArray: 1 << 20))
        #expect(report["Publisher"] == .init(1600, 0, 0))
    }

    @Test func `many identities of text are one row each`() throws {
        let fixture = try Comics.fixture()
        let powers = (0..<3000).map { #"{"id": "p\#($0 % 700)", "name": "P\#($0 % 700)"}"# }
        let json = "[\(powers.joined(separator: ","))]"
        let report = try fixture.insert("Power", Self.root(json, longArray: 500))
        #expect(report["Power"] == .init(700, 0, 0))
        #expect(try fixture.rows("SELECT count(*) FROM Power") == ["700"])
    }

    // MARK: Cancelling

    @Test func `a transaction is ended between the parts of an array`() throws {
        let fixture = try Comics.fixture()
        let json = "[\((1...20).map { #"{"id": \#($0), "name": "P"}"# }.joined(separator: ","))]"
        let root = try Self.root(json)
        var asked = 0
        var seen = 0
        #expect(throws: CancellationError.self) {
            try fixture.store.write { context in
                context.imports.checkCancellation = {
                    asked += 1
                    if asked == 8 {
                        seen = context.report["Publisher"].inserted
                        throw CancellationError()
                    }
                }
                _ = try context.import(Many<Publisher>.self, from: root)
            }
        }
        #expect(seen == 7)
        #expect(try fixture.rows("SELECT * FROM Publisher").isEmpty)
    }

    // MARK: What is made of the elements

    private struct Page: Wrapper {
        var token: String
        @Stored var items: Many<Publisher>
        var next: String?
    }

    private struct Entry: Wrapper {
        var rank: Int
        @Stored var publisher: Publisher
    }

    @Test(arguments: [0, 100, 10_000])
    func `a wrapper stores a long array`(_ longArray: Int) throws {
        let fixture = try Comics.fixture()
        let items = (1...60).map { #"{"id": \#($0), "name": "P\#($0)"}"# }
        let json = #"{"token": "t", "items": [\#(items.joined(separator: ","))], "next": "n"}"#
        let root = try Self.root(json, longArray: longArray)
        let page = try fixture.store.write { try $0.import(Page.self, from: root) }
        #expect(page.token == "t" && page.next == "n")
        #expect(try page.items.fetch().map(\.name) == (1...60).map { "P\($0)" })
    }

    @Test(arguments: [0, 100, 10_000])
    func `wrappers in a long array share what they store`(_ longArray: Int) throws {
        let fixture = try Comics.fixture()
        let entries = (1...30).map {
            #"{"rank": \#($0), "publisher": {"id": \#($0 % 4), "name": "P"}}"#
        }
        let root = try Self.root("[\(entries.joined(separator: ","))]", longArray: longArray)
        let (ranks, report) = try fixture.store.write { context in
            let many = try context.import(Many<Entry>.self, from: root)
            return (many.values.map(\.rank), context.report)
        }
        #expect(ranks == Array(1...30))
        #expect(report["Publisher"] == .init(4, 0, 0))
    }

    @Test(arguments: [0, 100, 10_000])
    func `an array of entities is read back in order`(_ longArray: Int) throws {
        let fixture = try Comics.fixture()
        let items = [5, 3, 9, 3].map { #"{"id": \#($0), "name": "P\#($0)"}"# } + ["null"]
        let root = try Self.root("[\(items.joined(separator: ","))]", longArray: longArray)
        let publishers = try fixture.store.write { try $0.import([Publisher].self, from: root) }
        #expect(publishers.map(\.id) == [5, 3, 9])
    }
}
