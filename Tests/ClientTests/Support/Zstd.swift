/// Writes the zstd format (RFC 8878) without compressing, and bombs that compress very well.
enum Zstd {
    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    /// `content` of at most 128 KiB in one raw block.
    static func stored(_ content: [UInt8]) -> [UInt8] {
        magic + [0, 0x38] + block(0, content.count, isLast: true) + content
    }

    static func stored(_ text: String) -> [UInt8] { stored(Array(text.utf8)) }

    /// Zeros, 128 KiB of them in each block of four bytes.
    static func zeros(_ blocks: Int, windowLog: UInt8 = 17) -> [UInt8] {
        magic + [0, (windowLog - 10) << 3]
            + (1...blocks).flatMap { block(1, 128 << 10, isLast: $0 == blocks) + [0] }
    }

    /// 128 KiB of zeros for each block, in a frame within a frame: the inner one comes to 293 times its size, the outer
    /// one to 32 times.
    static func nestedZeros(_ blocks: Int) -> [UInt8] {
        let head = magic + [0, 7 << 3]
        return head + block(0, head.count, isLast: false) + head
            + (1...blocks).flatMap { index in
                let isLast = index == blocks
                let zeros = block(1, 128 << 10, isLast: false) + [0] + block(0, 440, isLast: isLast)
                return block(0, zeros.count, isLast: false) + zeros
                    + block(1, 440, isLast: isLast) + [0]
            }
    }

    private static func block(_ type: Int, _ size: Int, isLast: Bool) -> [UInt8] {
        let head = size << 3 | type << 1 | (isLast ? 1 : 0)
        return [0, 8, 16].map { UInt8(truncatingIfNeeded: head >> $0) }
    }
}
