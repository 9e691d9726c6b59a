import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONObjectTests {
    @Test func `objects are built in order, and members replaced in place`() throws {
        let value = try JSONDocument(#"{"a": 1.50, "b": [1, 2], "a": "last", "ü\n": null}"#).root
        var object = JSONObject(value)
        #expect(object.keys == ["b", "a", "ü\n"])
        #expect(object.contains("b") && !object.contains("c"))
        object.rename("b", to: "c")
        object.rename("x", to: "y")
        object.rename("c", to: "c")
        try object.set("n", to: Int?.none)
        try object.set("d", to: ["k": Date(timeIntervalSinceReferenceDate: 0)])
        object.set("e", to: JSONObject())
        object.set("a", to: try #require(value["b"]))
        #expect(object.remove("ü\n") == Data("null".utf8))
        #expect(object.remove("ü\n") == nil)
        #expect(
            String(decoding: object.source, as: UTF8.self)
                == #"{"a":[1, 2],"c":[1, 2],"n":null,"d":{"k":"2001-01-01T00:00:00Z"},"e":{}}"#)
        #expect(throws: EncodingError.self) { try object.set("f", to: Double.nan) }
        #expect(JSONObject(try JSONDocument("[1]").root).keys == [])
    }

    @Test func `members of a JSON object in the making keep their moments`() throws {
        var object = JSONObject()
        try object.set("at", to: Date(timeIntervalSinceReferenceDate: 1.25))
        #expect(
            String(decoding: object.source, as: UTF8.self) == #"{"at":"2001-01-01T00:00:01.25Z"}"#)
    }
}
