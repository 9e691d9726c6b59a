import Foundation

/// Writes the gzip format (RFC 1952) without compressing, and bombs that compress very well.
enum Gzip {
    /// `content` in stored blocks.
    static func stored(_ content: [UInt8]) -> [UInt8] {
        var blocks: [UInt8] = []
        var rest = content[...]
        repeat {
            let part = rest.prefix(65_535)
            rest = rest.dropFirst(part.count)
            blocks.append(rest.isEmpty ? 1 : 0)
            blocks += littleEndian(UInt16(part.count)) + littleEndian(~UInt16(part.count)) + part
        } while !rest.isEmpty
        return file(blocks, crc: crc(of: content), count: content.count)
    }

    static func stored(_ text: String) -> [UInt8] {
        stored(Array(text.utf8))
    }

    /// Zeros, 158 of them in each byte: one literal, then copies of the 258 bytes before.
    static func zeros(_ runs: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write([1, 1, 0])  // the final block, with fixed codes
        bits.write([0, 0, 1, 1, 0, 0, 0, 0])  // the literal 0
        for _ in 0..<runs {
            bits.write([1, 1, 0, 0, 0, 1, 0, 1])  // length 258
            bits.write([0, 0, 0, 0, 0])  // distance 1
        }
        bits.write([0, 0, 0, 0, 0, 0, 0])  // the end of the block
        let count = 1 + runs * 258
        return file(bits.bytes, crc: crc(of: repeatElement(0, count: count)), count: count)
    }

    private static func file(_ blocks: [UInt8], crc: UInt32, count: Int) -> [UInt8] {
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + blocks + littleEndian(crc)
            + littleEndian(UInt32(truncatingIfNeeded: count))
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func crc(of content: some Sequence<UInt8>) -> UInt32 {
        let table = (0..<256).map { (index: UInt32) -> UInt32 in
            var value = index
            for _ in 0..<8 {
                value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
            }
            return value
        }
        var crc = ~UInt32(0)
        for byte in content {
            let index = UInt8(truncatingIfNeeded: crc) ^ byte
            crc = table[Int(index)] ^ (crc >> 8)
        }
        return ~crc
    }

    private struct BitWriter {
        var bytes: [UInt8] = []
        var used = 8

        mutating func write(_ bits: [UInt8]) {
            for bit in bits {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= bit << UInt8(used)
                used += 1
            }
        }
    }
}
