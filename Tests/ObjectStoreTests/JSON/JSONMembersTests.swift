import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONMembersTests {
    /// Objects that are searched and objects that have an index must not differ.
    private func members(padding: Int) throws -> JSONMembers {
        let padding = (0..<padding).map { ",\"p\($0)\":\($0)" }.joined()
        return JSONMembers(
            of: try JSONDocument(#"{"a":1,"b":2,"\u0061":3,"e\u0301":4,"\u00e9":5\#(padding)}"#)
                .root)
    }

    @Test(arguments: [0, 10, 11, 12, 13, 100])
    func `finds members alike in small and large objects`(padding: Int) throws {
        let members = try members(padding: padding)
        #expect(members["a"]?.integer == 3)
        #expect(members["b"]?.integer == 2)
        #expect(members["e\u{301}"]?.integer == 4)
        #expect(members["\u{E9}"]?.integer == 5)
        #expect(members["c"] == nil)
        for index in 0..<padding { #expect(members["p\(index)"]?.integer == Int64(index)) }
    }

    @Test(arguments: [0, 10, 11, 12, 13, 100])
    func `names each key once, where its last member stands`(padding: Int) throws {
        let keys = try members(padding: padding).keys
        #expect(
            keys.prefix(4).map { Array($0.utf8) }
                == ["b", "a", "e\u{301}", "\u{E9}"].map { Array($0.utf8) })
        #expect(keys.dropFirst(4) == (0..<padding).map { "p\($0)" }[...])
    }

    @Test func `an object of many members is no trap`() throws {
        let text = "{" + (0..<20_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
        let object = try JSONDocument(text).root.decode([String: Int].self)
        #expect(object.count == 20_000)
        #expect(object["key19999"] == 19_999)
    }
}
