import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct AttributeValueTests {
    enum Level: Int, AttributeValue { case low = -1, high = 7 }

    enum State: String, AttributeValue { case open, closed = "shut" }

    struct Kilograms: RawRepresentable, AttributeValue, Equatable { var rawValue: Float }

    enum Size: Float, AttributeValue, CaseIterable { case small = 0.1, large = 0.7 }

    @Test func `a Float behind a raw value is kept as a Float is`() throws {
        let fixture = try StoreFixture(entities: Parcel.self)
        let json = #"{"id": 1, "weight": 0.1}"#
        try fixture.insert("Parcel", json)
        let store = fixture.store
        #expect(try store.count(Parcel.where { $0.weight == Kilograms(rawValue: 0.1) }) == 1)
        let parcel = try #require(try store.first(Parcel.all))
        #expect(try fixture.report { try $0.save(parcel) }["Parcel"] == .init(0, 0, 1))
        #expect(try fixture.insert("Parcel", json)["Parcel"] == .init(0, 0, 1))
        try fixture.insert("Parcel", #"{"id": 2, "weight": 1, "size": 0.1}"#)
        #expect(try store.first(Parcel.where { $0.id == 2 })?.size == .small)
        #expect(throws: MappingError.self) {
            try fixture.insert("Parcel", #"{"id": 3, "weight": 1, "size": 0.2}"#)
        }
    }

    /// Which has one value for several spellings.
    struct Address: RawRepresentable, AttributeValue, Hashable {
        let rawValue: String

        init(rawValue: String) { self.rawValue = rawValue.lowercased() }
    }

    @Test func `what a type spells otherwise is kept as that spells it`() throws {
        let fixture = try StoreFixture(entities: Recipient.self, Envelope.self)
        let json = #"{"id": "Ann@X.org", "other": "BOB@x.org"}"#
        try fixture.insert("Recipient", json)
        let store = fixture.store
        let ann = try #require(try store.find(Recipient.self, id: Address(rawValue: "ann@x.org")))
        #expect(ann.other?.rawValue == "bob@x.org")
        #expect(try store.count(Recipient.where { $0.other == ann.other }) == 1)
        #expect(try fixture.report { try $0.save(ann) }["Recipient"] == .init(0, 0, 1))
        #expect(try fixture.insert("Recipient", json)["Recipient"] == .init(0, 0, 1))
        // By a bare reference, and in a mere reference.
        try fixture.insert("Envelope", #"{"id": 1, "to": "ANN@x.ORG"}"#)
        try fixture.insert("Envelope", #"{"id": 2, "to": {"id": "aNN@x.org"}}"#)
        #expect(try store.count(Envelope.where { $0.to.id == ann.id }) == 2)
        #expect(try store.count(Recipient.references) == 0)
        try store.delete(Envelope.all)
        #expect(try store.delete(ann) == 1)
        #expect(try store.count(Recipient.all) == 0)
    }

    @Test func `what was kept of one before it was rounded is no loss`() throws {
        let fixture = try StoreFixture(entities: Parcel.self)
        try fixture.insert("Parcel", #"{"id": 1, "weight": 0.1}"#)
        try fixture.store.writeBeside {
            _ = try $0.run("UPDATE \"Parcel\" SET \"weight\" = 0.1")
        }
        try fixture.store.close()
        var configuration = Store.Configuration()
        configuration.migration.version = 1
        let store = try Store(
            at: fixture.path, entities: Parcel.self, configuration: configuration)
        #expect(try store.first(Parcel.all)?.weight == Kilograms(rawValue: 0.1))
        try store.import(Parcel.self, from: #"{"id": 1, "weight": 0.1}"#)
        #expect(try store.count(Parcel.where { $0.weight == Kilograms(rawValue: 0.1) }) == 1)
    }

    struct Code: RawRepresentable, AttributeValue, Equatable { var rawValue: UInt16 }

    /// What has neither a raw value nor cases, and one spelling of many.
    struct Plate: AttributeValue, Hashable {
        static let attributeType = AttributeType.string
        static let allowedValues = AllowedValues.spelled(by: Self.self)
        let text: String

        init(_ text: String) { self.text = text.uppercased() }

        init?(sqlValue: SQLValue) {
            guard case .text(let text) = sqlValue, !text.isEmpty else { return nil }
            self.init(text)
        }

        var sqlValue: SQLValue { .text(text) }
    }

    @Test func `a type of one's own that says so keeps values as it writes them`() throws {
        let store = try Store.inMemory(entities: Coach.self)
        try store.import(
            [Coach].self, from: #"[{"plate": "ab", "rival": "x"}, {"plate": "AB", "rival": "y"}]"#)
        #expect(try store.select(Coach.all) { $0.plate } == [Plate("ab")])
        #expect(try store.count(Coach.where { $0.rival == Plate("Y") }) == 1)
        try store.save(Coach(plate: Plate("Ab"), rival: nil))
        #expect(try store.count(Coach.all) == 1)
        #expect(try store.find("Coach", id: "ab") != nil)
        #expect(try store.checkIntegrity(.full).isSound)
        let error = #expect(throws: MappingError.self) {
            try store.import(Coach.self, from: #"{"plate": "c", "rival": ""}"#)
        }
        #expect(error?.attribute == "rival")
    }

    /// Which takes several spellings of one value from outside, and any from code.
    struct Country: RawRepresentable, AttributeValue, Codable, Comparable,
        ExpressibleByStringLiteral
    {
        let rawValue: String

        init?(rawValue: String) {
            guard !rawValue.isEmpty else { return nil }
            self.rawValue = rawValue.uppercased()
        }

        init(stringLiteral text: String) { rawValue = text }

        static func < (left: Country, right: Country) -> Bool { left.rawValue < right.rawValue }
    }

    @Test func `what code has made is kept and asked for as its type spells it`() throws {
        let store = try Store.inMemory(entities: Visit.self)
        try store.save(Visit(to: "de", from: "fr", next: One(id: "it")))
        try store.import([Visit].self, from: #"[{"to": "De", "from": "FR"}, {"to": "IT"}]"#)
        #expect(try store.count(Visit.all) == 2 && store.count(Visit.references) == 0)
        let first = try #require(try store.find(Visit.self, id: "de"))
        #expect(first.to.rawValue == "DE" && first.next?.id?.rawValue == "IT")
        #expect(One<Visit>(id: "de") == One(id: first.to))
        for condition in Self.conditions {
            #expect(try store.select(Visit.where { condition($0) }) { $0.to } == [first.to])
        }
        let home: Country = "de"
        #expect(try store.count(Visit.where(#Predicate { $0.to == home })) == 1)
        let rows = try store.rows(
            "SELECT 1 FROM \(Visit.self) WHERE \(name: "to") = \(home)")
        #expect(rows.count == 1)
        #expect(try store.update(Visit.where { $0.to == "de" }) { $0.from.set("at") } == 1)
        #expect(try store.count(Visit.where { $0.from == Country(rawValue: "AT") }) == 1)
        #expect(try store.checkIntegrity(.full).isSound)
        try store.delete(One<Visit>(id: "it"))
        #expect(try store.count(Visit.all) == 1)
    }

    /// Each of which holds for the visit from France to Germany alone.
    private static let conditions: [@Sendable (Visit.Columns) -> Condition] = [
        { $0.to == "de" }, { $0.to != "it" }, { $0.to.isIn(["de", "es"]) }, { $0.to <= "de" },
        { $0.to.isIn("d"..."f") }, { $0.to.isIn("d"..<"f") }, { $0.from == "fr" },
        { $0.from.isIn(["fr" as Country]) }, { ($0.from ?? "x") < "g" },
        { $0.next == One(id: "it") }, { $0.next.to == "it" },
    ]

    @Test func `what its own type does not take is refused`() throws {
        let store = try Store.inMemory(entities: Visit.self)
        for visit in [
            Visit(to: "", from: nil, next: nil), Visit(to: "de", from: "", next: nil),
            Visit(to: "de", from: nil, next: One(id: "")),
        ] {
            let error = #expect(throws: WritingError.self) { try store.save(visit) }
            #expect(error?.reason == .unfit("expected a raw value of Country"))
        }
        #expect(try store.count(Visit.all) == 0 && store.count(Visit.references) == 0)
        #expect(try store.count(Visit.where { $0.to == "" }) == 0)
        #expect(throws: WritingError.self) { try store.update(Visit.all) { $0.from.set("") } }
    }

    @Test func `what identifies by several values has each as its type spells it`() throws {
        let store = try Store.inMemory(entities: Route.self)
        try store.save(Route(from: "de", number: 1))
        try store.import(Route.self, from: #"{"from": "De", "number": 1}"#)
        #expect(try store.select(Route.all) { $0.from } == [Country(rawValue: "de")])
        let id = Route.ObjectID(from: "de", number: 1)
        #expect(id == .init(from: "DE", number: 1))
        #expect(try store.find(Route.self, id: id) != nil)
        #expect(try store.delete(Route.where { $0.from == "de" }) == 1)
    }

    @Test func `an empty value stays so, whatever its type makes of one`() {
        let allowed = AllowedValues.spelled(by: Guess.self)
        #expect(allowed.nearest(to: .integer(7)) == .text("?"))
        #expect(allowed.nearest(to: .null) == .null)
    }

    /// Which is made of anything.
    struct Guess: AttributeValue {
        static let attributeType = AttributeType.string
        let sqlValue = SQLValue.text("?")

        init?(sqlValue: SQLValue) {}
    }

    enum Shade: String, AttributeValue, CaseIterable {
        case light, dark

        init?(rawValue: String) {
            guard let shade = Self.allCases.first(where: { "\($0)" == rawValue.lowercased() })
            else { return nil }
            self = shade
        }
    }

    @Test func `an enum of cases takes what it is made of besides`() throws {
        let allowed = Shade.allowedValues
        #expect(allowed.contains(.text("DARK")) && !allowed.contains(.text("dim")))
        #expect(allowed.nearest(to: .text("DARK")) == .text("dark"))
        #expect(allowed.nearest(to: .text("dark")) == .text("dark"))
        #expect(allowed.expectation == "one of light, dark")
    }

    // MARK: Round trips

    @Test func `import and code keep the same JSON`() throws {
        let fixture = try StoreFixture(entities: Marked.self)
        let json = #"{"id": 1, "marks": [ "a" , "b" ], "notes": {"y": 1.0, "x": 2}}"#
        try fixture.insert("Marked", json)
        let store = fixture.store
        #expect(try store.count(Marked.where { $0.marks == ["a", "b"] }) == 1)
        let marked = try #require(try store.first(Marked.all))
        let saved = try store.write { context in
            try context.save(marked)
            return context.report
        }
        #expect(saved["Marked"] == .init(0, 0, 1))
        #expect(try fixture.insert("Marked", json)["Marked"] == .init(0, 0, 1))
    }

    @Test func `raw values stand for what has them`() throws {
        try ValueColumn.expectKept([Level.low, .high])
        try ValueColumn.expectKept([State.open, .closed])
        try ValueColumn.expectKept([Code(rawValue: 65535)])
        #expect(State.closed.sqlValue == .text("shut"))
        #expect(Level.attributeType == .integer && State.attributeType == .string)
        #expect(try ValueColumn.read(Level.self, .integer(0)) == nil)
        #expect(try ValueColumn.read(State.self, .text("closed")) == nil)
        #expect(try ValueColumn.read(State.self, .integer(1)) == nil)
        #expect(try ValueColumn.read(Code.self, .integer(65536)) == nil)
    }

    @Test func `an optional is NULL where it is empty`() throws {
        try ValueColumn.expectKept([Int?.none, 0, 7])
        try ValueColumn.expectKept([String?.none, "", "x"])
        try ValueColumn.expectKept([Date?.none, Date(timeIntervalSinceReferenceDate: 0.1)])
        try ValueColumn.expectKept([State?.none, .open])
        try ValueColumn.expectKept([Data?.none, Data()])
        #expect(Int?.none.sqlValue == .null)
        #expect(Int?.isOptional && !Int.isOptional)
        #expect(String?.attributeType == .string)
    }

    // MARK: Columns that hold something else

    @Test func `an empty column is no value but of an optional`() throws {
        #expect(try ValueColumn.read(Int.self, .null) == nil)
        #expect(try ValueColumn.read(Double.self, .null) == nil)
        #expect(try ValueColumn.read(Bool.self, .null) == nil)
        #expect(try ValueColumn.read(String.self, .null) == nil)
        #expect(try ValueColumn.read(Date.self, .null) == nil)
        #expect(try ValueColumn.read(Data.self, .null) == nil)
        #expect(try ValueColumn.read(Int?.self, .null) == Int??.some(nil))
    }

    @Test func `a column of another type is no value, not even of an optional`() throws {
        #expect(try ValueColumn.read(Int.self, .text("1")) == nil)
        #expect(try ValueColumn.read(Int?.self, .text("1")) == nil)
        #expect(try ValueColumn.read(String.self, .integer(1)) == nil)
        #expect(try ValueColumn.read(String.self, .blob([0x61])) == nil)
        #expect(try ValueColumn.read(Data.self, .text("a")) == nil)
        #expect(try ValueColumn.read(Double.self, .text("1.5")) == nil)
        #expect(try ValueColumn.read(Double.self, .integer(3)) == 3)
        #expect(try ValueColumn.read(Date.self, .text("2001-01-01")) == nil)
        #expect(try ValueColumn.read(Bool.self, .text("true")) == nil)
    }
}

@Entity struct Parcel {
    @Identity var id: Int
    var weight: AttributeValueTests.Kilograms
    var size: AttributeValueTests.Size?
}

@Entity struct Marked {
    @Identity var id: Int
    var marks: [String]
    var notes: [String: Double]
}

@Entity struct Recipient {
    @Identity var id: AttributeValueTests.Address
    var other: AttributeValueTests.Address?
}

@Entity struct Envelope {
    @Identity var id: Int
    var to: One<Recipient>
}

@Entity struct Visit {
    @Identity var to: AttributeValueTests.Country
    var from: AttributeValueTests.Country?
    var next: One<Visit>?
}

@Entity struct Route {
    @Identity var from: AttributeValueTests.Country
    @Identity var number: Int
}

@Entity struct Coach {
    @Identity var plate: AttributeValueTests.Plate
    var rival: AttributeValueTests.Plate?
}
