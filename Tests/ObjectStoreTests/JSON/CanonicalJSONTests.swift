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
        ("[true, false, null]", "[true,false,null]"),
    ])
    func `equal values have one spelling`(_ json: String, _ expected: String) throws {
        let tape = try JSONDocument(json).storage.tape
        #expect(CanonicalJSON.text(of: 0, in: tape) == expected)
        let again = try JSONDocument(expected).storage.tape
        #expect(CanonicalJSON.text(of: 0, in: again) == expected)
    }
}
