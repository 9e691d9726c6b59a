import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct DefaultValueTests {
    @Test func `a value is a default where it can be one`() {
        #expect(SQLValue.integer(1).asDefault(of: .boolean) == .boolean(true))
        #expect(SQLValue.integer(0).asDefault(of: .boolean) == .boolean(false))
        #expect(SQLValue.integer(1).asDefault(of: .integer) == .integer(1))
        #expect(SQLValue.real(1.5).asDefault(of: .double) == .double(1.5))
        #expect(SQLValue.text("x").asDefault(of: .string) == .string("x"))
        #expect(SQLValue.null.asDefault(of: .string) == nil)
        // The model refuses it: it must not be lost on the way there.
        #expect(SQLValue.blob([1]).asDefault(of: .data) != nil)
    }

    @Test func `a default is the value that it came from`() {
        for (value, type) in [
            (.integer(7), .integer), (.integer(1), .boolean), (.real(0.1), .double),
            (.text("x"), .string),
        ] as [(SQLValue, AttributeType)] {
            #expect(value.asDefault(of: type)?.sqlValue == value)
        }
    }

    @Test func `defaults are checked however they came about`() throws {
        func problems(_ type: AttributeType, _ value: DefaultValue) -> Int {
            let entity = EntityDescription(
                name: "A", identity: [],
                attributes: [AttributeDescription("a", type, key: "a", default: value)])
            do throws(ModelError) {
                _ = try Model(name: "M", entities: [entity])
                return 0
            } catch {
                return error.problems.count
            }
        }
        #expect(problems(.double, .integer(1)) == 0)
        #expect(problems(.date, .double(1)) == 0)
        #expect(problems(.uuid, .string(UUID().uuidString.lowercased())) == 0)
        for (type, value) in [
            (.double, .double(.nan)), (.date, .double(.infinity)), (.uuid, .string("x")),
            (.decimal, .string("1,5")),
            (.url, .string("")), (.integer, .double(1)), (.boolean, .integer(1)),
            (.data, .string("x")), (.json, .string("{}")), (.string, .integer(1)),
        ] as [(AttributeType, DefaultValue)] {
            #expect(problems(type, value) == 1, "\(type) \(value)")
        }
    }

    @Test func `defaults are spelled as columns hold such values`() throws {
        let id = "0b5e5cd6-6c4b-4f6a-8c3a-1a2b3c4d5e6f"
        for (type, value, spelled) in [
            (.url, "https://e.x/ü", "https://e.x/%C3%BC"), (.uuid, id, id.uppercased()),
            (.decimal, "1.50", "1.5"), (.string, "ü", "ü"),
        ] as [(AttributeType, String, String)] {
            let attribute = AttributeDescription("a", type, key: "a", default: .string(value))
            #expect(attribute.defaultValue == .string(spelled))
        }
        let model = try Model(
            json: Data(
                #"""
                {"entities": {"Site": {"identity": ["id"], "attributes": {
                    "id": "integer", "address": {"type": "url", "default": "https://e.x/ü"}}}}}
                """#.utf8))
        let store = try Store.inMemory(model: model)
        try store.import("Site", from: #"[{"id": 1}, {"id": 2, "address": "https://e.x/ü"}]"#)
        let sites = DynamicQuery("Site").where("address = 'https://e.x/ü'")
        #expect(try store.count(sites) == 2)
    }
}
