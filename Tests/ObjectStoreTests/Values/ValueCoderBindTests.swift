import Foundation
import Testing

@testable import LarderObjectStore

/// Values on their way from JSON to a column.
struct ValueCoderBindTests {
    @Test(arguments: ValueCoderTests.table.indices)
    func `binds what it reads`(_ row: Int) throws {
        let (type, transformer, expected) = ValueCoderTests.table[row]
        let coder = try #require(ValueCoder(type, transformer))
        let connection = try Connection(
            path: ":memory:", creates: true, readOnly: false, busyTimeout: 0)
        let statement = try Statement("SELECT ?", on: connection)
        for sample in ValueCoderTests.samples {
            let document = try JSONDocument("[\(sample)]").root
            statement.clear()
            let isBound = try coder.bind(2, of: document.tape, to: statement, at: 1)
            #expect(isBound == (expected[sample] != nil), "\(sample) as \(type)")
            _ = try statement.step()
            #expect(statement.value(at: 0) == expected[sample] ?? .null, "\(sample) as \(type)")
            statement.reset()
        }
    }

    @Test func `strings are taken as they are`() throws {
        let coder = try #require(ValueCoder(.string, nil))
        for sample in ValueCoderTests.samples {
            let value = try JSONDocument("[\(sample)]").root
            let text = value.elements?.first?.string
            #expect(coder.value(of: 2, in: value.tape) == text.map(SQLValue.text))
        }
    }

    @Test func `scalars become strings by the transformer of that name`() throws {
        let coder = try #require(ValueCoder(.string, .string))
        for sample in ValueCoderTests.samples {
            let value = try JSONDocument("[\(sample)]").root
            let element = try #require(value.elements?.first)
            let isContainer = element.kind == .array || element.kind == .object
            #expect(
                coder.value(of: 2, in: value.tape)
                    == (isContainer ? nil : .text(element.string ?? sample)))
        }
        let null = try JSONDocument("[null]").root
        #expect(coder.value(of: 2, in: null.tape) == nil)
    }

    @Test(arguments: [
        ("https://a.example/b?c=d#e", true), ("/relative", true), ("mailto:a@b.example", true),
        ("", false),
    ])
    func `takes URLs`(_ text: String, _ isTaken: Bool) throws {
        let coder = try #require(ValueCoder(.url, nil))
        let value = try JSONDocument(#"["\#(text)"]"#).root
        #expect(coder.value(of: 2, in: value.tape) == (isTaken ? .text(text) : nil))
    }

    @Test(arguments: [
        "0.1", "123456789012345678901234567890.12345", "-0.000000000000000000000000000001",
        "100000000000000000000000000000000000000",
    ])
    func `decimals stay exact`(_ text: String) throws {
        let coder = try #require(ValueCoder(.decimal, nil))
        for json in ["[\(text)]", "[\"\(text)\"]"] {
            let value = try JSONDocument(json).root
            #expect(coder.value(of: 2, in: value.tape) == .text(text))
        }
    }

    @Test(arguments: [
        "12345678901234567890123456789012345678901", "9234567890123456789012345678901234567891",
        "1e-200", "1e200",
    ])
    func `decimals that would lose digits are refused`(_ text: String) throws {
        let coder = try #require(ValueCoder(.decimal, nil))
        for json in ["[\(text)]", "[\"\(text)\"]"] {
            let value = try JSONDocument(json).root
            #expect(coder.value(of: 2, in: value.tape) == nil)
        }
    }

    @Test func `numbers of single precision are the nearest of theirs`() throws {
        for transformer in [nil, Transformer.number] {
            let coder = try #require(ValueCoder(.double, transformer, isSingle: true))
            for (json, expected) in [
                ("0.1", Float(0.1)), ("16777217", 16_777_216), ("-1e-3", -0.001), ("1e39", nil),
            ] as [(String, Float?)] {
                let value = try JSONDocument("[\(json)]").root
                #expect(
                    coder.value(of: 2, in: value.tape) == expected.map { .real(Double($0)) })
            }
        }
    }
}
