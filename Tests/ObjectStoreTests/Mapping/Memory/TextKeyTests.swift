import Foundation
import Testing

@testable import LarderObjectStore

struct TextKeyTests {
    @Test func `equal sources are one key`() throws {
        let document = try JSONDocument(#"["a", "a", "b", "", "", 1, 1, 10, "1", "\u0061"]"#)
        let elements = try #require(document.root.elements)
        withExtendedLifetime(document) {
            let keys = elements.map { TextKey($0.node, in: $0.tape) }
            for (left, one) in zip(keys, elements) {
                for (right, other) in zip(keys, elements) {
                    #expect((left == right) == (one.source == other.source))
                    if left == right { #expect(left.hashValue == right.hashValue) }
                }
            }
        }
    }

    @Test func `containers, null and missing fields have none`() throws {
        let document = try JSONDocument(#"[[], {}, null]"#)
        let elements = try #require(document.root.elements)
        withExtendedLifetime(document) {
            for element in elements { #expect(TextKey(element.node, in: element.tape) == nil) }
            #expect(TextKey(-1 as Int32, in: document.root.tape) == nil)
        }
    }

    @Test func `buffers are compared by their bytes`() {
        let bytes: [UInt8] = [1, 2, 3, 1, 2, 4]
        bytes.withUnsafeBufferPointer { all in
            let part = { (range: Range<Int>) in UnsafeBufferPointer(rebasing: all[range]) }
            #expect(part(0..<2).hasSameBytes(as: part(3..<5)))
            #expect(!part(0..<3).hasSameBytes(as: part(3..<6)))
            #expect(part(0..<0).hasSameBytes(as: part(3..<3)))
        }
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        #expect(none.hasSameBytes(as: none))
    }
}
