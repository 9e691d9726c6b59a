/// Frames of HTTP/2 (RFC 9113), well formed or not, in bytes.
enum HTTP2Frame {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, promise, ping, goAway, window, continuation
    }

    /// The flags that are used here; an acknowledgement's is that of an end.
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let end = Flags(rawValue: 1)
        static let acknowledgement = Flags(rawValue: 1)
        static let endOfFields = Flags(rawValue: 4)
        static let padded = Flags(rawValue: 8)
        static let priority = Flags(rawValue: 32)
    }

    static func bytes(
        _ kind: UInt8, _ flags: Flags = [], stream: UInt32 = 0, _ content: [UInt8] = []
    ) -> [UInt8] {
        Array(bigEndian(UInt32(content.count)).dropFirst()) + [kind, flags.rawValue]
            + bigEndian(stream) + content
    }

    static func bytes(
        _ kind: Kind, _ flags: Flags = [], stream: UInt32 = 0, _ content: [UInt8] = []
    ) -> [UInt8] {
        bytes(kind.rawValue, flags, stream: stream, content)
    }

    static func settings(_ values: [(UInt16, UInt32)] = []) -> [UInt8] {
        bytes(.settings, [], values.flatMap { bigEndian($0.0) + bigEndian($0.1) })
    }

    static func bytes(_ kind: Kind, _ flags: Flags, _ content: [UInt8]) -> [UInt8] {
        bytes(kind, flags, stream: 0, content)
    }

    static func data(_ text: String, _ flags: Flags = .end, stream: UInt32 = 1) -> [UInt8] {
        bytes(.data, flags, stream: stream, Array(text.utf8))
    }

    /// A block of fields in one frame.
    static func fields(
        _ block: [UInt8], _ flags: Flags = [], stream: UInt32 = 1
    ) -> [UInt8] {
        bytes(.headers, flags.union(.endOfFields), stream: stream, block)
    }

    static func reset(_ code: UInt32, stream: UInt32 = 1) -> [UInt8] {
        bytes(.reset, [], stream: stream, bigEndian(code))
    }

    static func goAway(_ code: UInt32, last: UInt32) -> [UInt8] {
        bytes(.goAway, [], bigEndian(last) + bigEndian(code))
    }

    static func window(_ increment: UInt32, stream: UInt32 = 0) -> [UInt8] {
        bytes(.window, [], stream: stream, bigEndian(increment))
    }

    static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}

/// Header fields of HTTP/2 in HPACK (RFC 7541), without Huffman's codes.
enum HPACK {
    /// The status 200, by its place in the static table.
    static let ok: [UInt8] = [0x88]

    /// A field as it is.
    static func field(_ name: String, _ value: String) -> [UInt8] {
        field(name, Array(value.utf8))
    }

    static func field(_ name: String, _ value: [UInt8]) -> [UInt8] {
        [0] + text(Array(name.utf8)) + text(value)
    }

    /// A field that goes into the dynamic table, at its place 62.
    static func remembered(_ name: String, _ value: String) -> [UInt8] {
        [0x40] + text(Array(name.utf8)) + text(Array(value.utf8))
    }

    static func status(_ value: String) -> [UInt8] { field(":status", value) }

    private static func text(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var count: [UInt8] = [127]
        var rest = bytes.count - 127
        while rest >= 128 {
            count.append(UInt8(rest % 128) | 128)
            rest /= 128
        }
        return count + [UInt8(rest)] + bytes
    }
}
