import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONValueDecoderValuesTests {
    private func decoder(_ json: String) throws -> JSONValueDecoder {
        JSONValueDecoder(
            value: try JSONDocument(json).root, codingPath: [],
            shared: JSONDecoding(options: DecodingOptions()))
    }

    @Test func `a single value is null or not`() throws {
        let null = try decoder("null").singleValueContainer()
        #expect(null.decodeNil())
        let error = #expect(throws: DecodingError.self) { try null.decode(Int.self) }
        guard case .valueNotFound? = error else { throw try #require(error) }
        #expect(try !decoder("0").singleValueContainer().decodeNil())
        #expect(try decoder("[1,2]").singleValueContainer().decode([Int].self) == [1, 2])
    }

    @Test func `dates are read from ISO 8601 and from nothing else`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0.5)
        #expect(try JSONDocument("\"2001-01-01T00:00:00.5Z\"").root.decode(Date.self) == date)
        #expect(
            try JSONDocument("[null,\"2001-01-01T01:00:00.5+01:00\"]").root.decode([Date?].self)
                == [nil, date])
        for text in ["0", "\"yesterday\"", "\"2001-02-30T00:00:00Z\"", "null", "{}"] {
            #expect(throws: DecodingError.self) { try JSONDocument(text).root.decode(Date.self) }
        }
    }
}
