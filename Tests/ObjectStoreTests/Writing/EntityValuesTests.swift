import Foundation
import Testing

@testable import LarderObjectStore

/// What objects hand over: own and inherited properties, each where the whole entity has it.
struct EntityValuesTests {
    @Entity struct Owner {
        @Identity var id: Int
    }

    @Entity(abstract: true) struct Base {
        @Identity var id: Int
        var note: String?
        var owner: One<Owner>?
    }

    @Entity(parent: Base.self) struct Middle {
        @Inherited var id: Int
        var level: Int
    }

    @Entity(parent: Middle.self) struct Leaf {
        var name: String
        @Inherited var level: Int
        @Inherited var owner: One<Owner>?
        @Inherited var id: Int
        var other: One<Owner>?
    }

    @Entity(parent: Base.self) struct Astray {
        @Inherited var missing: Int
    }

    @Test func `an object of its own stands for itself`() throws {
        let values = try EntityValues(of: Base(id: 1, note: nil, owner: nil))
        #expect(values.entity == Base.entityDescription)
        #expect(values.attributes == [.integer(1), .null])
        #expect(values.identity == [.integer(1)])
        #expect(values.toOne.count == 1)
    }

    @Test func `ancestors' properties come first, and what is not read is not handed over`() throws
    {
        let leaf = Leaf(name: "a", level: 2, owner: One(id: 7), id: 1, other: nil)
        let values = try EntityValues(of: leaf)
        #expect(values.entity.attributes.map(\.name) == ["id", "note", "level", "name"])
        #expect(values.attributes == [.integer(1), nil, .integer(2), .text("a")])
        #expect(values.identity == [.integer(1)])
        guard case .identity([.integer(7)])?? = values.toOne.first,
            case .some(.none) = values.toOne[1]
        else {
            Issue.record("other links: \(values.toOne)")
            return
        }
    }

    @Test func `a property that no ancestor has is an error`() {
        let error = #expect(throws: WritingError.self) {
            try EntityValues(of: Astray(missing: 1))
        }
        #expect(error?.attribute == "missing")
    }
}
