import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONParserTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1", "-1", "0.5", "1e5", "1E+5", "1e-5", "-1.25e2",
        "\"\"", "\"a\"", "[]", "{}", "[[]]", "[{}]", "{\"\":{}}", "[1,2]", "{\"a\":1,\"b\":2}",
        " \t\r\n[ \t\r\n] \t\r\n", "{ \"a\" : [ 1 , 2 ] , \"b\" : null }", "\u{FEFF}[]",
        "\"\u{2028}\u{7F}\u{10FFFF}\"", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uD83D\\uDE00\"]",
    ])
    func `takes what RFC 8259 takes`(text: String) {
        #expect(JSONDocument.refusal(of: text) == nil)
    }

    @Test(arguments: [
        ("", JSONError.Reason.unexpectedEnd), (" ", .unexpectedEnd), ("\u{FEFF}", .unexpectedEnd),
        ("[", .unexpectedEnd), ("[1", .unexpectedEnd), ("[1,", .unexpectedEnd),
        ("{", .unexpectedEnd), ("{\"a\"", .unexpectedEnd), ("{\"a\":", .unexpectedEnd),
        ("{\"a\":1", .unexpectedEnd), ("{\"a\":1,", .unexpectedEnd), ("\"", .unexpectedEnd),
        ("\"a", .unexpectedEnd), ("\"\\", .unexpectedEnd), ("\"\\u12", .unexpectedEnd),
        ("\"\\\"", .unexpectedEnd), ("t", .unexpectedEnd), ("tru", .unexpectedEnd),
        ("-", .unexpectedEnd), ("1.", .unexpectedEnd), ("1e", .unexpectedEnd),
        ("1e+", .unexpectedEnd), ("]", .unexpectedCharacter), ("}", .unexpectedCharacter),
        (",", .unexpectedCharacter), ("[,]", .unexpectedCharacter), ("[1,]", .unexpectedCharacter),
        ("[1 2]", .unexpectedCharacter), ("[1}", .unexpectedCharacter),
        ("{]", .unexpectedCharacter), ("{\"a\":1]", .unexpectedCharacter),
        ("{,}", .unexpectedCharacter), ("{\"a\":1,}", .unexpectedCharacter),
        ("{a:1}", .unexpectedCharacter), ("{1:1}", .unexpectedCharacter),
        ("{\"a\" 1}", .unexpectedCharacter), ("{\"a\"::1}", .unexpectedCharacter),
        ("{\"a\":}", .unexpectedCharacter), ("trux", .unexpectedCharacter),
        ("True", .unexpectedCharacter), ("NaN", .unexpectedCharacter),
        ("Infinity", .unexpectedCharacter), ("+1", .unexpectedCharacter),
        (".5", .unexpectedCharacter), ("'a'", .unexpectedCharacter), ("//", .unexpectedCharacter),
        ("[\u{0C}]", .unexpectedCharacter), ("[\u{A0}]", .unexpectedCharacter),
        ("[\u{0}]", .unexpectedCharacter), ("-x", .invalidNumber), ("-.5", .invalidNumber),
        ("1.x", .invalidNumber), ("1.e5", .invalidNumber), ("1ex", .invalidNumber),
        ("1e++5", .invalidNumber), ("[-]", .invalidNumber), ("01", .trailingContent),
        ("-01", .trailingContent), ("0x1", .trailingContent), ("1.5.5", .trailingContent),
        ("1 1", .trailingContent), ("null null", .trailingContent), ("[]]", .trailingContent),
        ("{}{}", .trailingContent), ("truefalse", .trailingContent),
        ("\"\" \u{0}", .trailingContent), ("\"\\x\"", .invalidEscape),
        ("\"\\u12G4\"", .invalidEscape), ("\"\\uD800\"", .invalidEscape),
        ("\"\\uDC00\"", .invalidEscape), ("\"\\uD800\\uD800\"", .invalidEscape),
        ("\"\\uD800\\n....\"", .invalidEscape), ("\"\\U0041\"", .invalidEscape),
        ("\"\n\"", .controlCharacter), ("\"\t\"", .controlCharacter),
        ("\"\u{0}\"", .controlCharacter), ("\"\u{1F}\"", .controlCharacter),
    ])
    func `refuses what RFC 8259 refuses`(text: String, reason: JSONError.Reason) {
        #expect(JSONDocument.refusal(of: text)?.reason == reason)
    }

    @Test func `refuses every proper prefix of a document`() {
        let text = #"{"a":[1,-2.5e3,"x\u00e9\\é",true,false,null,{"b":[]}],"c":{}}"#
        let bytes = Array(text.utf8)
        #expect(JSONDocument.refusal(of: bytes) == nil)
        for length in bytes.indices {
            #expect(JSONDocument.refusal(of: bytes[..<length]) != nil, "\(length) bytes")
        }
    }

    @Test func `takes only space, tab, line feed and carriage return as white space`() {
        for byte in UInt8.min...UInt8.max {
            let isSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            #expect(
                (JSONDocument.refusal(of: [byte, 0x31]) == nil)
                    == (isSpace || byte == 0x2D || (0x31...0x39).contains(byte)), "\(byte)")
            #expect(
                (JSONDocument.refusal(of: [0x5B, 0x31, byte, 0x5D]) == nil)
                    == (isSpace || (0x30...0x39).contains(byte)), "\(byte)")
        }
    }

    @Test func `counts arrays and objects as levels`() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
            Array(
                (String(repeating: open, count: depth) + "1"
                    + String(repeating: close, count: depth)).utf8)
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":[", "]}]")] {
            let levels = open.count { "[{".contains($0) }
            #expect(JSONDocument.refusal(of: nested(512 / levels, open, close)) == nil)
            #expect(
                JSONDocument.refusal(of: nested(512 / levels + 1, open, close))?.reason
                    == .tooDeep(limit: 512))
        }
        #expect(JSONDocument.refusal(of: nested(3, "[", "]"), depthLimit: 3) == nil)
        #expect(
            JSONDocument.refusal(of: nested(4, "[", "]"), depthLimit: 3)?.reason
                == .tooDeep(limit: 3))
        let deep = try JSONDocument(bytes: nested(10_000, "[", "]"), depthLimit: 10_000)
        #expect(deep.storage.depth == 10_000)
    }

    @Test func `takes no containers at all where the limit is nothing or less`() {
        for limit in [0, -1, Int.min] {
            #expect(JSONDocument.refusal(of: "1".utf8, depthLimit: limit) == nil)
            #expect(
                JSONDocument.refusal(of: "[]".utf8, depthLimit: limit)?.reason
                    == .tooDeep(limit: limit))
        }
    }

    @Test func `a hundred thousand brackets are too deep and nothing worse`() {
        for bracket in ["[", "{\"\":"] {
            let text = String(repeating: bracket, count: 100_000)
            #expect(JSONDocument.refusal(of: text)?.reason == .tooDeep(limit: 512))
        }
    }

    @Test func `makes room for as many nodes as it takes`() throws {
        // One node for each two bytes, four times what is set aside at first.
        let numbers = try JSONDocument(
            "[" + Array(repeating: "7", count: 50_000).joined(separator: ",") + "]")
        #expect(numbers.root.count == 50_000)
        #expect(numbers.root.elements?.allSatisfy { $0.integer == 7 } == true)
        let arrays = try JSONDocument(
            "[" + Array(repeating: "[]", count: 50_000).joined(separator: ",") + "]")
        #expect(arrays.root.elements?.allSatisfy { $0.count == 0 } == true)
    }

    @Test func `reads no byte behind the document`() {
        let document = Array(
            #"{"key":["text é",-12.5e+3,true,null,false,{"a\n":"\uD83D\uDE00"}]}"#.utf8)
        let page = GuardedPage()
        for length in 0...document.count {
            let bytes = page.place(document[..<length])
            let parser = JSONParser(bytes: bytes, count: length, depthLimit: 8)
            guard let (nodes, depth) = try? parser.parse() else {
                #expect(length < document.count)
                continue
            }
            #expect(depth == 3)
            nodes.deallocate()
        }
    }

    @Test func `survives whatever is done to a document`() throws {
        let seeds = [
            #"{"id":1,"user":{"login":"ann","tags":["a","b"]},"n":[-1.5e3,0,true,null]}"#,
            #"[{"a\u00e9\uD83D\uDE00":"é😀\n"},[[[]]],"0123456789abcdef0123456789",{}]"#,
            #"  [ 1 , 2.5 , "x" , { "k" : [ ] } ]  "#,
        ].map { Array($0.utf8) }
        let spice =
            Array(#""\{}[],:0-9.eEtfnu "#.utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF4, 0xFF]
        var random = SplitMix64(seed: 8259)
        var taken = 0
        for round in 0..<20_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = spice.randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(spice.randomElement(using: &random) ?? 0, at: index)
                default:
                    bytes.insert(contentsOf: bytes[index...].prefix(8), at: index)
                }
            }
            let ours = try? JSONDocument(bytes: bytes)
            if let ours {
                taken += 1
                #expect(ours.root.readAll() > 0)
            }
        }
        #expect(taken > 500)
    }
}
