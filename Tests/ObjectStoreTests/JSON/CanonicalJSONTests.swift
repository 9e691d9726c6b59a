import Testing

@testable import LarderObjectStore

struct CanonicalJSONTests {
    @Test(arguments: [
        (#" [ "a" , "b" ] "#, #"["a","b"]"#),
        (#"{"b": 1, "a": {"d": [], "c": {}}}"#, #"{"a":{"c":{},"d":[]},"b":1}"#),
        (#"{"a": 1, "a": 2}"#, #"{"a":2}"#), (#""\u0041\/\n\u0001""#, #""A/\n\u0001""#),
        ("[1.0, 1.50, 1e3, -0, 0.0, 100, 0.1, 1E-2]", "[1,1.5,1000,0,0,100,0.1,0.01]"),
        (
            "[1e21, 1e20, 123e-9, 0.000001, 1.5e300]",
            "[1e21,100000000000000000000,1.23e-7,0.000001,1.5e300]"
        ),
        (
            "[9223372036854775807, -9223372036854775808]",
            "[9223372036854775807,-9223372036854775808]"
        ),
        ("[1e99999999999999, 1e-99999999999999]", "[1e99999999999999,1e-99999999999999]"),
        ("[true, false, null]", "[true,false,null]"),
    ])
    func `equal values have one spelling`(_ json: String, _ expected: String) throws {
        #expect(CanonicalJSON.text(of: try JSONDocument(json).root) == expected)
        #expect(CanonicalJSON.text(of: try JSONDocument(expected).root) == expected)
    }

    @Test func `keys that Unicode takes for one are two`() throws {
        let json = "{\"e\u{301}\":1,\"\u{e9}\":2}"
        #expect(Array(CanonicalJSON.text(of: try JSONDocument(json).root).utf8) == Array(json.utf8))
    }

    @Test(arguments: [0, 4, 1000])
    func `what is left in the file is there`(_ longArray: Int) throws {
        let json = #"{"a":[1, [2.0, [3, {"b": [4]}]], []], "0": [5]}"#
        let document = try JSONDocument(mapped: json.utf8, longArray: longArray)
        #expect(
            CanonicalJSON.text(of: document.root) == #"{"0":[5],"a":[1,[2,[3,{"b":[4]}]],[]]}"#)
    }

    @Test func `depth costs no stack`() throws {
        let depth = 200_000
        let json = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let document = try JSONDocument(json, depthLimit: depth)
        #expect(CanonicalJSON.text(of: document.root) == json)
    }
}
