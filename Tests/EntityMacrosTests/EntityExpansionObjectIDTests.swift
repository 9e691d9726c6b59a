import Foundation
import LarderObjectStore
import Testing

@Suite struct EntityExpansionObjectIDTests {
    private let handwritten = """
        static let entityName = "Thing"
            static let parentType: (any Entity.Type)? = nil
            static let inheritedProperties: [InheritedProperty] = []
            struct Columns {}
            init(row: EntityRow) {}
            func write(to values: inout EntityValues) {}
        """

    private func expect(
        _ objectID: String, of properties: String, without markers: String,
        in structure: String = "", arguments: String = "", describedAs description: String? = nil,
        location: Testing.SourceLocation = #_sourceLocation
    ) {
        let handwritten =
            description == nil
            ? handwritten + "\n    static let entityDescription = description" : handwritten
        let objectID = (description.map { "\($0)\n\n    " } ?? "") + objectID
        expectExpansion(
            """
            @Entity\(arguments) \(structure)struct Thing {
                \(properties)
                \(handwritten)
            }
            """,
            """
            \(structure)struct Thing {
                \(markers)
                \(handwritten)

                \(objectID)
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {}
            """, location: location)
    }

    @Test func `is the type of the one property that identifies`() {
        expect(
            "typealias ObjectID = Int", of: "@Identity var id: Int",
            without: "var id: Int")
        expect(
            "public typealias ObjectID = Token", of: "@Identity public var id: Token?",
            without: "public var id: Token?", in: "public ")
        expect(
            "typealias ObjectID = String", of: "@Identity private var id: String",
            without: "private var id: String")
    }

    @Test func `is any values where the type may be hidden from who sees the entity`() {
        expect(
            "public typealias ObjectID = LarderObjectStore.IdentityValues",
            of: "@Identity var id: Token", without: "var id: Token", in: "public ")
        expect(
            "typealias ObjectID = LarderObjectStore.IdentityValues",
            of: "@Identity private var id: Token", without: "private var id: Token")
    }

    @Test func `is none where nothing identifies`() {
        expect(
            "typealias ObjectID = Swift.Never", of: "var x: Int", without: "var x: Int",
            describedAs: """
                nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                        name: Self.entityName,
                        identity: [],
                        attributes: [
                            LarderObjectStore.AttributeDescription("x", Int.self, key: "x"),
                        ],
                        relationships: []
                    )
                """)
    }

    @Test func `is any values where a description by hand may say something else`() {
        expect(
            "typealias ObjectID = LarderObjectStore.IdentityValues", of: "var x: Int",
            without: "var x: Int")
        expect(
            "typealias ObjectID = LarderObjectStore.IdentityValues",
            of: "@Identity var x: Int; @Identity var y: Int", without: "var x: Int; var y: Int")
    }

    @Test func `is any values where a private type is the struct's own`() {
        for access in ["", "private ", "fileprivate "] {
            expect(
                "typealias ObjectID = LarderObjectStore.IdentityValues",
                of: "private enum Kind {}; @Identity private var id: Kind",
                without: "private enum Kind {}; private var id: Kind", in: access)
        }
    }

    @Test func `is the parent's, unless the entity adds to it`() {
        expect(
            "typealias ObjectID = Message.ObjectID", of: "@Inherited var id: Int",
            without: "var id: Int", arguments: "(parent: Message.self)")
        expect(
            "typealias ObjectID = LarderObjectStore.IdentityValues",
            of: "@Identity var number: Int", without: "var number: Int",
            arguments: "(parent: Message.self)")
    }

    @Test func `is any values where a property has the name of what it needs itself`() {
        expect(
            "typealias ObjectID = LarderObjectStore.IdentityValues",
            of: "@Identity var identityValues: Int; @Identity var y: Int",
            without: "var identityValues: Int; var y: Int",
            describedAs: """
                nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                        name: Self.entityName,
                        identity: ["identityValues", "y"],
                        attributes: [
                            LarderObjectStore.AttributeDescription("identityValues", Int.self, \
                key: "identityValues"),
                            LarderObjectStore.AttributeDescription("y", Int.self, key: "y"),
                        ],
                        relationships: []
                    )
                """)
    }

    @Test func `refuses to be a type that it hides`() {
        expectRefusal(
            """
            @Entity struct Thing {
                @Identity var id: ObjectID?
            }
            """,
            .at(
                2, 19,
                "'ObjectID' is the entity's own here; spell the type of 'id' with its module, such "
                    + "as 'App.ObjectID'"))
        expect(
            "typealias ObjectID = App.ObjectID", of: "@Identity var id: App.ObjectID",
            without: "var id: App.ObjectID")
    }

    @Test func `is a struct of several properties`() {
        expect(
            """
            public nonisolated struct ObjectID: LarderObjectStore.CompositeIdentity {
                    public let suit: Suit
                    public let `default`: Int?

                    public init(suit: Suit, default: Int?) {
                        self.suit = suit
                        self.`default` = `default`
                    }

                    public init?(identityValues: [LarderObjectStore.SQLValue]) {
                        guard identityValues.count == 2,
                            let suit = Suit(sqlValue: identityValues[0]),
                            let `default` = Swift.Optional<Int>(sqlValue: identityValues[1])
                        else { return nil }
                        self.init(suit: suit, default: `default`)
                    }

                    public var identityValues: [LarderObjectStore.SQLValue] {
                        [self.suit.identityValues, self.`default`.identityValues].flatMap(\\.self)
                    }
                }
            """, of: "@Identity public var suit: Suit; @Identity public var `default`: Int?",
            without: "public var suit: Suit; public var `default`: Int?", in: "public ",
            describedAs: """
                public nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                        name: Self.entityName,
                        identity: ["suit", "default"],
                        attributes: [
                            LarderObjectStore.AttributeDescription("suit", Suit.self, key: "suit"),
                            LarderObjectStore.AttributeDescription("default", Int?.self, \
                key: "default"),
                        ],
                        relationships: []
                    )
                """)
    }

    @Test func `finds objects and names links`() throws {
        let store = try Store.inMemory(entities: Seat.self, Booking.self, Note.self)
        let guest = UUID()
        try store.save(
            [
                Booking(
                    guest: guest, seat: One(id: .init(row: .back, number: 3)),
                    first: One(id: .init(row: .front, number: 1)), note: One(Note(text: "a")))
            ])
        let booking = try #require(try store.find(Booking.self, id: guest))
        #expect(booking.seat.id?.row == .back)
        #expect(booking.seat.id == Seat.ObjectID(row: .back, number: 3))
        #expect(booking.seat.id != booking.first?.id)
        #expect(Set([booking.seat.id, booking.first?.id, booking.seat.id]).count == 2)
        #expect("\(booking.seat)" == "One<Seat>(id: back, 3)")
        #expect(booking.note?.id == nil)
        #expect(try store.find(Seat.self, id: booking.seat.id) == nil)
        try store.save(Seat(row: .back, number: 3, price: 7))
        #expect(try store.find(Seat.self, id: booking.seat.id)?.price == 7)
        #expect(try store.find(Seat.self, id: .init(row: .front, number: 3)) == nil)
        #expect(try store.find(Seat.self, id: nil) == nil)
        #expect(try store.find(Seat.self, id: One<Seat>?.none?.id) == nil)
    }

    @Test func `is read only of values that fit`() {
        #expect(Seat.ObjectID(identityValues: [.text("back"), .integer(3)])?.number == 3)
        #expect(Seat.ObjectID(identityValues: [.text("side"), .integer(3)]) == nil)
        #expect(Seat.ObjectID(identityValues: [.text("back")]) == nil)
        #expect(Int(identityValues: [.integer(3), .integer(4)]) == nil)
        #expect(Int(identityValues: [.text("3")]) == nil)
        #expect(Never(identityValues: []) == nil)
        #expect(IdentityValues("back", 3).identityValues == [.text("back"), .integer(3)])
        #expect(IdentityValues(7).value(as: Int.self) == 7)
        #expect(IdentityValues(7, 8).value(as: Int.self) == nil)
        #expect("\(IdentityValues("back", 3, Int?.none))" == "back, 3, nil")
    }
}

// MARK: Entities

@Entity private struct Seat {
    enum Row: String, AttributeValue {
        case front, back
    }

    @Identity var row: Row
    @Identity var number: Int
    var price: Int
}

@Entity private struct Booking {
    @Identity let guest: UUID
    var seat: One<Seat>
    var first: One<Seat>?
    var note: One<Note>?
}

@Entity private struct Note {
    var text: String
}
