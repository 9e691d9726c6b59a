extension JSONTape {
    /// The value of a string node, its escapes resolved.
    func string(_ node: Int) -> String {
        let text = text(node)
        if kind(node) == .plainString {
            return String(decoding: text, as: UTF8.self)
        }
        return String(unsafeUninitializedCapacity: text.count) { target in
            Self.unescape(text, into: target)
        }
    }

    /// Hands the UTF-8 of a string node's value, its escapes resolved, to a body.
    func withUnescaped<Result>(
        _ node: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let text = text(node)
        if kind(node) == .plainString { return body(text) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { target in
            let count = Self.unescape(text, into: target)
            return body(UnsafeBufferPointer(rebasing: target[..<count]))
        }
    }

    /// Writes the UTF-8 of an escaped string's value, which is never longer than its source, and
    /// returns how many bytes it took.
    static func unescape(
        _ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var source = 0
        var written = 0
        while source < text.count {
            let byte = text[source]
            source += 1
            guard byte == UInt8(ascii: "\\") else {
                target[written] = byte
                written += 1
                continue
            }
            let escape = text[source]
            source += 1
            guard escape == UInt8(ascii: "u") else {
                target[written] = Self.character(ofEscape: escape)
                written += 1
                continue
            }
            var scalar = hexadecimal(text, at: source)
            source += 4
            if scalar & 0xFC00 == 0xD800 {
                // The parser has seen to it that the other half follows.
                scalar =
                    0x10000 + (scalar & 0x3FF) << 10 + hexadecimal(text, at: source + 2) & 0x3FF
                source += 6
            }
            written += write(scalar, into: target, at: written)
        }
        return written
    }

    static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32 {
        (0..<4).reduce(0) { value, step in
            value << 4 | UInt32(hexadecimalDigit(text[index + step]) ?? 0)
        }
    }

    @inline(__always)
    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func character(ofEscape escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }

    private static func write(
        _ scalar: UInt32, into target: UnsafeMutableBufferPointer<UInt8>, at index: Int
    ) -> Int {
        switch scalar {
        case ..<0x80:
            target[index] = UInt8(scalar)
            return 1
        case ..<0x800:
            target[index] = UInt8(0xC0 | scalar >> 6)
            target[index + 1] = UInt8(0x80 | scalar & 0x3F)
            return 2
        case ..<0x10000:
            target[index] = UInt8(0xE0 | scalar >> 12)
            target[index + 1] = UInt8(0x80 | scalar >> 6 & 0x3F)
            target[index + 2] = UInt8(0x80 | scalar & 0x3F)
            return 3
        default:
            target[index] = UInt8(0xF0 | scalar >> 18)
            target[index + 1] = UInt8(0x80 | scalar >> 12 & 0x3F)
            target[index + 2] = UInt8(0x80 | scalar >> 6 & 0x3F)
            target[index + 3] = UInt8(0x80 | scalar & 0x3F)
            return 4
        }
    }
}
