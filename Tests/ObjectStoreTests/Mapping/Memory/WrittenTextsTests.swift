import Foundation
import Testing

@testable import LarderObjectStore

struct WrittenTextsTests {
    private static func keep(_ text: [UInt8], in texts: WrittenTexts) -> Int? {
        text.withUnsafeBufferPointer { texts.keep($0) }
    }

    @Test func `keeps copies`() throws {
        let texts = WrittenTexts()
        let first = try #require(Self.keep(Array("one".utf8), in: texts))
        let second = try #require(Self.keep([], in: texts))
        let third = try #require(Self.keep(Array("three".utf8), in: texts))
        #expect(texts.text(first).elementsEqual("one".utf8))
        #expect(texts.text(second).isEmpty)
        #expect(texts.text(third).elementsEqual("three".utf8))
        #expect(texts.hasRoom)
    }

    @Test func `knows its own`() throws {
        let texts = WrittenTexts()
        let index = try #require(Self.keep([1, 2, 3], in: texts))
        let start = try #require(texts.text(index).baseAddress)
        #expect(texts.owns(start) && texts.owns(start + 2))
        #expect(!texts.owns(start + 3))
        [UInt8](repeating: 0, count: 3).withUnsafeBufferPointer {
            if let other = $0.baseAddress { #expect(!texts.owns(other)) }
        }
    }

    @Test func `passes over long texts and says when it is full`() {
        let texts = WrittenTexts()
        #expect(Self.keep([UInt8](repeating: 1, count: 4097), in: texts) == nil)
        #expect(texts.hasRoom)
        let text = [UInt8](repeating: 1, count: 4096)
        var count = 0
        while Self.keep(text, in: texts) != nil { count += 1 }
        #expect(count == 1024)
        #expect(!texts.hasRoom)
        texts.removeAll()
        #expect(texts.hasRoom)
        #expect(Self.keep(text, in: texts) == 0)
    }

    @Test func `short texts are limited in number`() {
        let texts = WrittenTexts()
        var count = 0
        while Self.keep([7], in: texts) != nil { count += 1 }
        #expect(count == 32_768)
        #expect(!texts.hasRoom)
    }
}

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
