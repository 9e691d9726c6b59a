import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONUnkeyedContainerTests {
    @Test func `an element is passed over only once it has been read`() throws {
        var list = try JSONValueDecoder(json: #"[1,null,"x",[true],{"a":1},2.5]"#)
            .unkeyedContainer()
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
            try list.superDecoder().container(keyedBy: KeyName.self).decode(Int.self, forKey: "a")
                == 1
        )
        #expect(try list.decode(Double.self) == 2.5)
        #expect(list.isAtEnd && list.currentIndex == 6)
    }

    @Test func `there is nothing behind the last element`() throws {
        var list = try JSONValueDecoder(json: "[]").unkeyedContainer()
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
            #expect(DecodingError.path(of: error) == ["Index 0"])
        }
    }

    @Test func `optional elements end with the array`() throws {
        var list = try JSONValueDecoder(json: "[null,5]").unkeyedContainer()
        #expect(try list.decodeIfPresent(Int.self) == nil)
        #expect(list.currentIndex == 1)
        #expect(try list.decodeIfPresent(Int.self) == 5)
        #expect(try list.decodeIfPresent(Int.self) == nil)
    }
}
