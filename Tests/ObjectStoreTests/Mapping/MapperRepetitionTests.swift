import Foundation
import Testing

@testable import LarderObjectStore

/// Objects in the same words are one object only where an identity says so, with every shortcut and
/// without.
@Suite(.serialized)
struct MapperRepetitionTests {
    private static let each = [
        MapperShortcuts.all, [], .repeatedObjects, .writtenTexts, .knownIdentities,
    ]

    private func fixture(
        _ shortcuts: MapperShortcuts, _ entities: EntityDescription...
    ) throws -> StoreFixture {
        var configuration = Store.Configuration()
        configuration.shortcuts = shortcuts
        return try StoreFixture(
            Model(name: "Test", entities: entities), configuration: configuration)
    }

    @Test(arguments: each)
    func `equal objects without an identity are as many rows`(_ shortcuts: MapperShortcuts) throws {
        let fixture = try fixture(
            shortcuts,
            .numbered(
                "Order",
                relationships: [
                    RelationshipDescription(
                        "lines", to: "Line", isToMany: true, key: "lines", deleteRule: .cascade)
                ]),
            EntityDescription(
                name: "Line", identity: [],
                attributes: [.required("text"), .required("amount", .integer)]))
        let line = #"{"text": "a pound of coffee", "amount": 1}"#
        let report = try fixture.insert(
            "Order",
            """
            [{"id": 1, "lines": [\(line), \(line), {"text": "some tea", "amount": 1}]},
             {"id": 2, "lines": [\(line)]}]
            """)
        #expect(report["Line"] == .init(4))
        #expect(try fixture.rows("SELECT count(*) FROM Line") == ["4"])
        #expect(
            try fixture.rows("SELECT source, count(*) FROM \"Order.lines\" GROUP BY 1")
                == ["1|3", "2|1"])
        #expect(
            try fixture.insert(
                "Line", "[\(Array(repeating: line, count: 1_000).joined(separator: ","))]")[
                    "Line"] == .init(1_000))
    }

    @Test(arguments: each)
    func `equal objects whose identity is empty are as many rows`(
        _ shortcuts: MapperShortcuts
    ) throws {
        let empty = Transformer(
            "emptyAsNull", from: { (value: String) in value.isEmpty ? nil : value })
        let fixture = try fixture(
            shortcuts,
            EntityDescription(
                name: "Draft", identity: ["id"],
                attributes: [.optional("id", .string, empty), .required("text")]),
            EntityDescription(
                name: "Page", identity: ["path", "language"],
                attributes: [.optional("path"), .optional("language"), .required("text")]))
        for id in [#""id": null, "#, #""id": "", "#, ""] {
            let draft = #"{\#(id)"text": "the same words again"}"#
            #expect(
                try fixture.insert("Draft", "[\(draft), \(draft), \(draft)]")["Draft"] == .init(3))
        }
        let page = #"{"path": null, "text": "the same words again"}"#
        #expect(try fixture.insert("Page", "[\(page), \(page)]")["Page"] == .init(2))
        let known = #"{"path": "/", "text": "the same words again"}"#
        #expect(try fixture.insert("Page", "[\(known), \(known)]")["Page"] == .init(1))
        let draft = #"{"id": "a", "text": "the same words again"}"#
        #expect(try fixture.insert("Draft", "[\(draft), \(draft)]")["Draft"] == .init(1))
        #expect(try fixture.rows("SELECT count(*) FROM Draft") == ["10"])
    }
}
