import Testing

@testable import LarderObjectStore

struct ByteSumTests {
    private static func sum(_ parts: [UInt8]...) -> UInt64 {
        var sum = ByteSum()
        for part in parts { part.withUnsafeBytes { sum.add($0) } }
        return sum.value
    }

    @Test func `it is the same in each process`() {
        #expect(Self.sum(Array(0..<20)) == 0x00C9_71C1_A60B_21DB)
    }

    @Test func `each bit of it counts, and where a part ends`() {
        let bytes = Array(0..<20 as Range<UInt8>)
        let sum = Self.sum(bytes)
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << UInt8(bit)
                #expect(Self.sum(other) != sum)
            }
        }
        #expect(Self.sum(Array(bytes.prefix(8)), Array(bytes.dropFirst(8))) != sum)
        #expect(Self.sum(bytes, []) != sum)
    }
}
