import Foundation
import Testing

@testable import LarderObjectStore

/// Objects that are identified by a value of each type that an attribute can have.
struct ObjectIdentityTests {
    private enum Suit: String, AttributeValue {
        case hearts, spades
    }

    private enum Rank: Int8, AttributeValue {
        case low = -1
        case high = 1
    }

    private struct Place: JSONAttribute, Equatable {
        var x: Int
        var day: Date?
    }

    private struct Name: RawRepresentable, AttributeValue {
        var rawValue: String
    }

    /// Imports, finds, links, saves and asks for objects of two identities.
    private func check<ID: AttributeValue>(
        _ one: ID, _ other: ID, as json: [String], otherAs otherJSON: String, isBare: Bool = true,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let store = try Store.inMemory(entities: Keyed<ID>.self)
        for json in json {
            try store.import(
                [Keyed<ID>].self, from: #"[{"id": \#(json), "next": \#(otherJSON)}]"#)
        }
        #expect(
            try store.count(Keyed<ID>.all) == (isBare ? 1 : 2), sourceLocation: sourceLocation)
        let found = try #require(
            try store.find(Keyed<ID>.self, id: one), sourceLocation: sourceLocation)
        #expect(found.id.sqlValue == one.sqlValue, sourceLocation: sourceLocation)
        let next = try #require(found.next, sourceLocation: sourceLocation)
        let id = try #require(next.id, sourceLocation: sourceLocation)
        #expect(id.sqlValue == other.sqlValue, sourceLocation: sourceLocation)
        #expect(
            (try store.find(Keyed<ID>.self, id: id) == nil) == isBare,
            sourceLocation: sourceLocation)
        try store.save(Keyed(id: other, note: "saved", next: One(id: one)))
        #expect(
            try store.find(Keyed<ID>.self, id: id)?.note == "saved",
            sourceLocation: sourceLocation)
        #expect(try next.fetch().next?.id?.sqlValue == one.sqlValue, sourceLocation: sourceLocation)
        #expect(
            try store.fetch(Keyed<ID>.where { $0.next == One(id: other) }).count == 1,
            sourceLocation: sourceLocation)
        try store.update(Keyed(id: one, note: "new", next: nil))
        #expect(try store.delete(One<Keyed<ID>>(id: one)) == 1, sourceLocation: sourceLocation)
        #expect(try store.count(Keyed<ID>.all) == 1, sourceLocation: sourceLocation)
        #expect(try store.checkIntegrity().isSound, sourceLocation: sourceLocation)
    }

    @Test func `numbers identify`() throws {
        try check(1, 0, as: ["1"], otherAs: "0")
        try check(Int.min, .max, as: ["\(Int.min)"], otherAs: "\(Int.max)")
        try check(Int8(-3), 4, as: ["-3"], otherAs: "4")
        try check(UInt32.max, 4, as: ["4294967295"], otherAs: "4")
        try check(0.1, -0.0, as: ["0.1", "1e-1"], otherAs: "0")
        try check(1e300, 3, as: ["1e300"], otherAs: "3")
        try check(Float(0.1), 2.5, as: ["0.1"], otherAs: "2.5")
        try check(true, false, as: ["true"], otherAs: #"{"id": false}"#, isBare: false)
        try check(Rank.low, .high, as: ["-1"], otherAs: "1")
        try check(
            Decimal(string: "1.50") ?? 0, 3, as: ["1.5", #""1.50""#, "15e-1"], otherAs: "3.0")
        try check(
            Decimal(sign: .plus, exponent: -2, significand: 150), 3, as: ["1.5"], otherAs: "3")
    }

    @Test func `texts, dates and bytes identify`() throws {
        try check("é", "e\u{301}", as: [#""é""#, #""\u00e9""#], otherAs: #""e\u0301""#)
        try check("", "a", as: [#""""#], otherAs: #""a""#)
        try check(Suit.hearts, .spades, as: [#""hearts""#], otherAs: #""spades""#)
        try check(Name(rawValue: "1"), Name(rawValue: "2"), as: [#""1""#], otherAs: #""2""#)
        try check(
            Date(timeIntervalSinceReferenceDate: 0.25),
            Date(timeIntervalSinceReferenceDate: -1),
            as: [#""2001-01-01T00:00:00.25Z""#, #""2001-01-01T01:00:00.250+01:00""#],
            otherAs: #""2000-12-31T23:59:59Z""#)
        let urls = ["https://a.example/ä?x=1#y", "/relative"]
        try check(
            #require(URL(string: urls[0])), #require(URL(string: urls[1])),
            as: [#""\#(urls[0])""#], otherAs: #""\#(urls[1])""#)
        let (one, other) = (UUID(), UUID())
        try check(
            one, other, as: ["\"\(one.uuidString.lowercased())\"", "\"\(one)\""],
            otherAs: "\"\(other)\"")
        try check(Data([0, 255]), Data(), as: [#""AP8=""#], otherAs: #""""#)
    }

    @Test func `what is kept as JSON identifies`() throws {
        try check(
            [1, 2], [], as: ["[1,2]", "[ 1, 2.0 ]"], otherAs: #"{"id": []}"#, isBare: false)
        try check(
            ["b": 1, "a": 2], [:], as: [#"{"b":1,"a":2}"#], otherAs: #"{"id": {}}"#, isBare: false)
        try check(
            Place(x: 1), Place(x: 2, day: Date(timeIntervalSinceReferenceDate: 0)),
            as: [#"{"x": 1}"#], otherAs: #"{"id": {"day":"2001-01-01T00:00:00Z","x":2}}"#,
            isBare: false)
    }
}

/// An entity of any identity, written by hand.
private struct Keyed<ID: AttributeValue>: Entity {
    var id: ID
    var note: String?
    var next: One<Keyed>?

    typealias ObjectID = ID

    static var entityName: String { "Keyed" }
    static var entityDescription: EntityDescription {
        EntityDescription(
            name: "Keyed", identity: ["id"],
            attributes: [
                AttributeDescription("id", ID.self, key: "id"),
                AttributeDescription("note", String?.self, key: "note"),
            ],
            relationships: [
                RelationshipDescription("next", to: "Keyed", isOptional: true, key: "next")
            ])
    }

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var id: Column<ID> { .init(path, "id") }
        var next: ToOneColumn<Keyed> { .init(path, "next") }
    }

    init(id: ID, note: String?, next: One<Keyed>?) {
        (self.id, self.note, self.next) = (id, note, next)
    }

    init(row: EntityRow) throws {
        id = try row.attribute(0)
        note = try row.attribute(1)
        next = try row.one(0)
    }

    func write(to values: inout EntityValues) throws {
        try values.attribute(0, id)
        try values.attribute(1, note)
        try values.one(0, next)
    }
}
