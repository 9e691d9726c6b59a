import Foundation
import LarderObjectStore
import Testing

/// Nicolas Seriot's JSONTestSuite, which stands beside the package and not in it.
@Suite(
    .enabled(
        if: ConformanceFiles.hasJSON,
        "SKIPPED: JSONTestSuite is not there; expected ../shared/conformance/json"))
struct JSONTestSuiteTests {
    let files = ConformanceFiles.json("test_parsing")

    /// What is done where RFC 8259 leaves the choice, and why a document is refused.
    static let choices: [String: JSONError.Reason?] = [
        // Numbers are kept as they are spelled, so any of them can be taken; reading one as a
        // type that it does not fit gives nil.
        "i_number_double_huge_neg_exp.json": nil,
        "i_number_huge_exp.json": nil,
        "i_number_neg_int_huge_exp.json": nil,
        "i_number_pos_double_huge_exp.json": nil,
        "i_number_real_neg_overflow.json": nil,
        "i_number_real_pos_overflow.json": nil,
        "i_number_real_underflow.json": nil,
        "i_number_too_big_neg_int.json": nil,
        "i_number_too_big_pos_int.json": nil,
        "i_number_very_big_negative_int.json": nil,
        // Half of a surrogate pair is no Unicode scalar: it could not be stored as text.
        "i_object_key_lone_2nd_surrogate.json": .invalidEscape,
        "i_string_1st_surrogate_but_2nd_missing.json": .invalidEscape,
        "i_string_1st_valid_surrogate_2nd_invalid.json": .invalidEscape,
        "i_string_incomplete_surrogate_and_escape_valid.json": .invalidEscape,
        "i_string_incomplete_surrogate_pair.json": .invalidEscape,
        "i_string_incomplete_surrogates_escape_valid.json": .invalidEscape,
        "i_string_invalid_lonely_surrogate.json": .invalidEscape,
        "i_string_invalid_surrogate.json": .invalidEscape,
        "i_string_inverted_surrogates_U+1D11E.json": .invalidEscape,
        "i_string_lone_second_surrogate.json": .invalidEscape,
        // Bytes that are not UTF-8 are refused, not replaced.
        "i_string_UTF-8_invalid_sequence.json": .invalidUTF8,
        "i_string_UTF8_surrogate_U+D800.json": .invalidUTF8,
        "i_string_invalid_utf-8.json": .invalidUTF8,
        "i_string_iso_latin_1.json": .invalidUTF8,
        "i_string_lone_utf8_continuation_byte.json": .invalidUTF8,
        "i_string_not_in_unicode_range.json": .invalidUTF8,
        "i_string_overlong_sequence_2_bytes.json": .invalidUTF8,
        "i_string_overlong_sequence_6_bytes.json": .invalidUTF8,
        "i_string_overlong_sequence_6_bytes_null.json": .invalidUTF8,
        "i_string_truncated-utf-8.json": .invalidUTF8,
        // UTF-16 is not UTF-8 either; it fails at its first byte that no value begins with.
        "i_string_UTF-16LE_with_BOM.json": .unexpectedCharacter,
        "i_string_utf16BE_no_BOM.json": .unexpectedCharacter,
        "i_string_utf16LE_no_BOM.json": .unexpectedCharacter,
        // Below the limit of 512 levels.
        "i_structure_500_nested_arrays.json": nil,
        // A byte order mark is ignored.
        "i_structure_UTF-8_BOM_empty_object.json": nil,
    ]

    @Test func `takes all documents that must be taken`() {
        let documents = files.filter { $0.name.hasPrefix("y_") }
        #expect(documents.count == 95)
        #expect(documents.filter { JSONDocument.refusal(of: $0.content) != nil }.map(\.name) == [])
    }

    @Test func `refuses all documents that must be refused`() {
        let documents = files.filter { $0.name.hasPrefix("n_") }
        #expect(documents.count == 188)
        #expect(documents.filter { JSONDocument.refusal(of: $0.content) == nil }.map(\.name) == [])
    }

    @Test func `decides on each document that may be taken or refused`() throws {
        let documents = files.filter { $0.name.hasPrefix("i_") }
        #expect(documents.map(\.name) == Self.choices.keys.sorted())
        for (name, content) in documents {
            let reason = try #require(Self.choices[name])
            #expect(JSONDocument.refusal(of: content)?.reason == reason, "\(name)")
        }
    }

    @Test func `reads everything in the documents that it takes`() throws {
        for (name, content) in files where JSONDocument.refusal(of: content) == nil {
            #expect(try JSONDocument(content).root.readAll() > 0, "\(name)")
        }
    }

    @Test(arguments: [0, 16])
    func `decides the same where arrays are walked in a file`(_ longArray: Int) throws {
        for (name, content) in files {
            do {
                let expected = try JSONDocument(content).root
                let root = try JSONDocument(mapped: content, longArray: longArray).root
                #expect(root.spelled == expected.spelled, "\(name)")
                #expect(root.readAll() == expected.readAll(), "\(name)")
            } catch let error as JSONError {
                #expect(throws: error, "\(name)") {
                    try JSONDocument(mapped: content, longArray: longArray)
                }
            }
        }
    }

    /// Numbers as a double and as an integer, strings as they are read, objects by their keys.
    static let transforms: [String: String] = [
        "number_-9223372036854775808.json": "[-9223372036854775808]",
        "number_-9223372036854775809.json": "[-9.223372036854776e+18]",
        "number_1.0.json": "[1]",
        "number_1.000000000000000005.json": "[1.0]",
        "number_1000000000000000.json": "[1000000000000000]",
        "number_10000000000000000999.json": "[1e+19]",
        "number_1e-999.json": "[0.0]",
        "number_1e6.json": "[1000000]",
        "number_9223372036854775807.json": "[9223372036854775807]",
        "number_9223372036854775808.json": "[9.223372036854776e+18]",
        // Keys are compared byte by byte: two normal forms of a letter are two keys.
        "object_key_nfc_nfd.json": #"{"\u{00E9}":"NFC","e\u{0301}":"NFD"}"#,
        "object_key_nfd_nfc.json": #"{"\u{00E9}":"NFC","e\u{0301}":"NFD"}"#,
        // Of two members with one key the last counts.
        "object_same_key_different_values.json": #"{"a":2}"#,
        "object_same_key_same_value.json": #"{"a":1}"#,
        "object_same_key_unclear_values.json": #"{"a":0}"#,
        "string_1_escaped_invalid_codepoint.json": "invalid escape in a string",
        "string_1_invalid_codepoint.json": "not UTF-8",
        "string_2_escaped_invalid_codepoints.json": "invalid escape in a string",
        "string_2_invalid_codepoints.json": "not UTF-8",
        "string_3_escaped_invalid_codepoints.json": "invalid escape in a string",
        "string_3_invalid_codepoints.json": "not UTF-8",
        "string_with_escaped_NULL.json": #"["A\0B"]"#,
    ]

    @Test func `makes the same of each document as ever`() throws {
        let documents = ConformanceFiles.json("test_transform")
        #expect(documents.map(\.name) == Self.transforms.keys.sorted())
        for (name, content) in documents {
            let outcome: String
            do throws(JSONError) {
                outcome = try JSONDocument(content).root.spelled
            } catch {
                outcome = "\(error.reason)"
            }
            #expect(outcome == Self.transforms[name], "\(name)")
        }
    }
}
