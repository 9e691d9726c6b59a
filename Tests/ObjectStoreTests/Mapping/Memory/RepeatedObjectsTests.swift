import Testing

@testable import LarderObjectStore

struct RepeatedObjectsTests {
    private let plans: [EntityPlan]
    private let one = #"{"id": 1, "name": "one"}"#

    init() throws {
        plans =
            try StorePlan(
                try Model(
                    name: "Test", entities: [.numbered("A", .optional("name")), .numbered("B")])
            ).entities
    }

    /// The row that is known of a text, -1 for none.
    private func row(
        of text: String, in objects: RepeatedObjects, as entity: Int = 0
    ) -> Int64 {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer {
            objects.object(like: $0, of: plans[entity])?.pointee.row ?? -1
        }
    }

    private func remember(
        _ text: String, row: Int64, in objects: RepeatedObjects, rewrittenCount: Int32 = 0
    ) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBufferPointer {
            objects.remember($0, of: plans[0], row: row, rewrittenCount: rewrittenCount)
        }
    }

    @Test func `the same words of the same entity are known`() {
        let objects = RepeatedObjects(size: 1_000)
        #expect(row(of: one, in: objects) == -1)
        remember(one, row: 7, in: objects)
        #expect(row(of: one, in: objects) == 7)
        #expect(row(of: #"{"id": 1, "name": "two"}"#, in: objects) == -1)
        #expect(row(of: one, in: objects, as: 1) == -1)
    }

    @Test func `knows since when, which can be changed`() {
        let objects = RepeatedObjects(size: 1_000)
        remember(one, row: 7, in: objects, rewrittenCount: 3)
        let bytes = Array(one.utf8)
        bytes.withUnsafeBufferPointer { text in
            #expect(objects.object(like: text, of: plans[0])?.pointee.rewrittenCount == 3)
            objects.object(like: text, of: plans[0])?.pointee.rewrittenCount = 4
            #expect(objects.object(like: text, of: plans[0])?.pointee.rewrittenCount == 4)
        }
    }

    @Test func `short and very long objects are not kept`() {
        let objects = RepeatedObjects(size: 1_000_000)
        for text in [#"{"a": 1}"#, "", #"{"a": "\#(String(repeating: "b", count: 10_000))"}"#] {
            remember(text, row: 7, in: objects)
            #expect(row(of: text, in: objects) == -1)
        }
    }

    @Test func `one that is longer than all it was made for is not kept`() {
        let objects = RepeatedObjects(size: 20)
        remember(one, row: 7, in: objects)
        #expect(row(of: one, in: objects) == -1)
    }

    @Test func `two objects share a place, a third takes that of the first`() {
        let objects = RepeatedObjects(size: 100_000)
        // Only length, beginning and end say where an object belongs.
        let texts = ["x", "y", "z"].map { #"{"id": 1, "name": "a\#($0)b", "more": true}"# }
        remember(texts[0], row: 0, in: objects)
        remember(texts[1], row: 1, in: objects)
        #expect(texts.map { row(of: $0, in: objects) } == [0, 1, -1])
        remember(texts[2], row: 2, in: objects)
        #expect(texts.map { row(of: $0, in: objects) } == [-1, 1, 2])
    }

    @Test func `starts over where there is no room for another text`() {
        let objects = RepeatedObjects(size: 100)
        let texts = (0..<10).map { #"{"id": \#($0), "name": "a name"}"# }
        for (index, text) in texts.enumerated() { remember(text, row: Int64(index), in: objects) }
        #expect(row(of: texts[9], in: objects) == 9)
        #expect(row(of: texts[0], in: objects) == -1)
    }

    @Test func `finds thousands of objects`() {
        let objects = RepeatedObjects(size: 10 << 20)
        let texts = (0..<2_000).map { #"{"id": \#($0), "name": "name of \#($0)"}"# }
        for (index, text) in texts.enumerated() { remember(text, row: Int64(index), in: objects) }
        let found = texts.enumerated().count { row(of: $1, in: objects) == Int64($0) }
        #expect(found > 1_800)
    }

    @Test func `an object of which another one has changed a part is written again`() throws {
        let fixture = try StoreFixture(.numbered("Thing", .optional("name"), .optional("note")))
        let whole = #"{"id": 1, "name": "a long name", "note": "first"}"#
        let part = #"{"id": 1, "note": "a second note"}"#
        try fixture.insert(
            "Thing", "[\([whole, whole, part, whole, whole].joined(separator: ","))]")
        #expect(try fixture.rows("SELECT note FROM Thing") == ["first"])
        try fixture.insert("Thing", "[\([whole, whole, part].joined(separator: ","))]")
        #expect(try fixture.rows("SELECT note FROM Thing") == ["a second note"])
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
