import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONUnkeyedContainerTests {
    /// A key of any name.
    struct Name: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { Int(stringValue) }

        init(stringLiteral value: String) { stringValue = value }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { stringValue = String(intValue) }
    }

    private func decoder(_ json: String) throws -> JSONValueDecoder {
        JSONValueDecoder(
            value: try JSONDocument(json).root, codingPath: [],
            shared: JSONDecoding(options: DecodingOptions()))
    }

    private func path(_ error: (any Error)?) -> [String]? {
        switch error as? DecodingError {
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?,
            .keyNotFound(_, let context)?, .dataCorrupted(let context)?:
            context.codingPath.map(\.stringValue)
        default: nil
        }
    }

    @Test func `an element is passed over only once it has been read`() throws {
        var list = try decoder(#"[1,null,"x",[true],{"a":1},2.5]"#).unkeyedContainer()
        #expect(list.count == 6)
        #expect(throws: DecodingError.self) { try list.decode(String.self) }
        #expect(list.currentIndex == 0)
        #expect(try !list.decodeNil())
        #expect(try list.decode(UInt8.self) == 1)
        #expect(throws: DecodingError.self) { try list.decode(Int.self) }
        #expect(try list.decodeNil())
        #expect(try list.decode(String.self) == "x")
        #expect(list.currentIndex == 3)
        var inner = try list.nestedUnkeyedContainer()
        #expect(try inner.decode(Bool.self))
        #expect(inner.isAtEnd)
        #expect(
            try list.superDecoder().container(keyedBy: Name.self).decode(Int.self, forKey: "a") == 1
        )
        #expect(try list.decode(Double.self) == 2.5)
        #expect(list.isAtEnd && list.currentIndex == 6)
    }

    @Test func `there is nothing behind the last element`() throws {
        var list = try decoder("[]").unkeyedContainer()
        #expect(list.isAtEnd && list.count == 0)
        let errors = [
            #expect(throws: DecodingError.self) { try list.decode(Int.self) },
            #expect(throws: DecodingError.self) { try list.decode(Bool.self) },
            #expect(throws: DecodingError.self) { try list.decode(String.self) },
            #expect(throws: DecodingError.self) { try list.decode(Date.self) },
            #expect(throws: DecodingError.self) { _ = try list.decodeNil() },
            #expect(throws: DecodingError.self) { _ = try list.nestedUnkeyedContainer() },
            #expect(throws: DecodingError.self) { _ = try list.superDecoder() },
        ]
        for error in errors {
            guard case .valueNotFound? = error else { throw try #require(error) }
            #expect(path(error) == ["Index 0"])
        }
    }

    @Test func `optional elements end with the array`() throws {
        var list = try decoder("[null,5]").unkeyedContainer()
        #expect(try list.decodeIfPresent(Int.self) == nil)
        #expect(list.currentIndex == 1)
        #expect(try list.decodeIfPresent(Int.self) == 5)
        #expect(try list.decodeIfPresent(Int.self) == nil)
    }
}
