import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct ContentRangeTests {
    private static func range(_ text: String) -> ContentRange? {
        ContentRange([.contentRange: text])
    }

    @Test func `it names the first, the last and the size of all`() throws {
        let range = try #require(Self.range("bytes 5-9/20"))
        #expect(range.first == 5 && range.last == 9 && range.total == 20)
        #expect(Self.range("BYTES 0-0/1")?.total == 1)
        let open = try #require(Self.range("bytes 5-9/*"))
        #expect(open.total == nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes */20", "bytes 5-9", "bytes 9-5/20", "bytes 5-20/20", "lines 5-9/20",
        "bytes -9/20", "bytes 5-/20", "bytes +5-9/20", "bytes 5-9/20/1", "bytes 5-9/",
        "bytes 5-99999999999999999999/*", "bytes  5-9/20",
        "bytes 0-9223372036854775807/*",
    ])
    func `anything else is none`(_ text: String) {
        #expect(Self.range(text) == nil)
    }

    @Test func `without the field there is none`() {
        #expect(ContentRange([:]) == nil)
    }

    @Test(
        arguments: [
            ("bytes */10", 10), ("Bytes */0", 0), ("bytes */*", nil), ("bytes 0-1/10", nil),
            ("bytes */-1", nil), ("bytes */99999999999999999999", nil), ("", nil),
            ("bits */10", nil),
            ("bytes */", nil),
        ] as [(String, Int?)])
    func `a refusal of a range names the size of the whole`(_ text: String, _ size: Int?) {
        #expect(ContentRange.size(in: [.contentRange: text]) == size)
    }
}
