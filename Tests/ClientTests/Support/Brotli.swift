/// Writes the brotli format (RFC 7932) without compressing, and has a bomb.
enum Brotli {
    /// `content` of at most 65,536 bytes in one uncompressed meta-block.
    static func stored(_ content: [UInt8]) -> [UInt8] {
        guard !content.isEmpty else { return [6] }
        // The window, not the last block, four digits of its length, that, and that it is not compressed.
        let head = (content.count - 1) << 4 | 1 << 20
        return [0, 8, 16].map { UInt8(truncatingIfNeeded: head >> $0) } + content + [3]
    }

    static func stored(_ text: String) -> [UInt8] { stored(Array(text.utf8)) }

    /// 2 MiB of zeros.
    static let bomb: [UInt8] = [155, 255, 255, 31, 248, 39, 0, 226, 177, 64, 32, 247, 254, 3]
}
