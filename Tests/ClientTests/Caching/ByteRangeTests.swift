import Testing

@testable import LarderClient

/// Parts that requests ask for.
@Suite struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-4", 0..<5), ("bytes=3-", 3..<10), ("bytes=-3", 7..<10), ("bytes=-30", 0..<10),
        ("bytes=5-100", 5..<10), ("BYTES=9-9", 9..<10), ("bytes=0-9223372036854775807", 0..<10),
    ])
    func `a part is some of the positions`(_ text: String, _ positions: Range<Int>) throws {
        #expect(try #require(ByteRange(text)).positions(in: 10) == positions)
    }

    @Test(arguments: ["bytes=10-", "bytes=10-12"])
    func `what begins behind the end is nothing`(_ text: String) throws {
        #expect(try #require(ByteRange(text)).positions(in: 10) == nil)
        #expect(try #require(ByteRange("bytes=-1")).positions(in: 0) == nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=-0", "bytes=4-3", "bytes=0-1,3-4", "rows=0-1",
        "bytes=a-b", "bytes=+1-2", "bytes=1-2-3", "bytes=99999999999999999999-",
    ])
    func `anything else is left to the server`(_ text: String) {
        #expect(ByteRange(text) == nil)
    }
}
