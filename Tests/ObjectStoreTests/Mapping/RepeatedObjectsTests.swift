import Foundation
import Testing

@testable import LarderObjectStore

struct RepeatedObjectsTests {
    private let document: JSONDocument
    private let plans: [EntityPlan]

    init() throws {
        document = try JSONDocument(
            #"[{"id": 1, "name": "one"}, {"id": 1, "name": "one"}, {"id": 1, "name": "two"}, {"a": 1}]"#
        )
        plans =
            try StorePlan(
                try Model(
                    name: "Test", entities: [.numbered("A", .optional("name")), .numbered("B")])
            ).entities
    }

    /// The nodes of the array's objects.
    private var nodes: [Int] { document.root.elements?.map(\.node) ?? [] }

    @Test func `the same words of the same entity are known`() {
        let objects = RepeatedObjects(tape: document.storage.tape)
        #expect(objects.object(like: nodes[0], of: plans[0]) == nil)
        objects.remember(nodes[0], of: plans[0], row: 7)
        let found = objects.object(like: nodes[1], of: plans[0])
        #expect(found?.row == 7 && found?.node == Int32(nodes[0]))
        #expect(objects.object(like: nodes[2], of: plans[0]) == nil)
        #expect(objects.object(like: nodes[1], of: plans[1]) == nil)
    }

    @Test func `short objects are not kept`() {
        let objects = RepeatedObjects(tape: document.storage.tape)
        objects.remember(nodes[3], of: plans[0], row: 7)
        #expect(objects.object(like: nodes[3], of: plans[0]) == nil)
    }

    @Test func `an object that another one has changed in between is written again`() throws {
        let fixture = try StoreFixture(.numbered("Thing", .optional("name")))
        let a = #"{"id": 1, "name": "aaaaaaaaaa"}"#
        let b = #"{"id": 1, "name": "bbbbbbbbbb"}"#
        try fixture.insert("Thing", "[\([a, a, b, a, a, b].joined(separator: ","))]")
        #expect(try fixture.rows("SELECT name FROM Thing") == ["bbbbbbbbbb"])
        let report = try fixture.insert("Thing", "[\([b, b, a, b, a, a].joined(separator: ","))]")
        #expect(try fixture.rows("SELECT name FROM Thing") == ["aaaaaaaaaa"])
        #expect(report["Thing"] == .init(0, 1))
    }

    @Test func `many objects that share places are all written`() throws {
        let fixture = try StoreFixture(.numbered("Thing", .optional("name")))
        let objects = (0..<300).map { #"{"id": \#($0 % 100), "name": "name of \#($0 % 100)"}"# }
        let report = try fixture.insert("Thing", "[\(objects.joined(separator: ","))]")
        #expect(report["Thing"] == .init(100))
        #expect(
            try fixture.rows("SELECT count(*) FROM Thing WHERE name = 'name of ' || id") == ["100"])
    }
}
