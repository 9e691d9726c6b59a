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
