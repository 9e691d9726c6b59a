/// Finds the end of a string and checks it on the way: escapes, control characters, UTF-8.
///
/// Sixteen bytes are looked at in one go; where they are nothing but printable ASCII other than the
/// quotation mark and the backslash, they are passed over at once.
struct JSONStringScanner {
    let bytes: UnsafePointer<UInt8>
    let end: Int
    var position: Int
    var hasEscapes = false

    init(bytes: UnsafePointer<UInt8>, end: Int, position: Int) {
        self.bytes = bytes
        self.end = end
        self.position = position
    }

    /// Moves to the closing quotation mark; where there is none to be had, says why and stays at
    /// the offending byte.
    @inline(__always)
    mutating func scan() -> JSONError.Reason? {
        skipPlainBytes()
        if position < end, bytes[position] == UInt8(ascii: "\"") { return nil }
        let (rest, reason) = scanSpecialBytes()
        self = rest
        return reason
    }

    /// Goes on where the first byte that is not plain does not end the string.
    @inline(never)
    private func scanSpecialBytes() -> (JSONStringScanner, JSONError.Reason?) {
        var scanner = self
        while true {
            let reason = scanner.skipSpecialBytes()
            if let reason { return (scanner, reason) }
            scanner.skipPlainBytes()
            if scanner.position < end, bytes[scanner.position] == UInt8(ascii: "\"") {
                return (scanner, nil)
            }
        }
    }

    private mutating func skipSpecialBytes() -> JSONError.Reason? {
        guard position < end else { return .unexpectedEnd }
        let byte = bytes[position]
        if byte == UInt8(ascii: "\\") {
            hasEscapes = true
            return skipEscape()
        }
        return byte < 0x20 ? .controlCharacter : skipMultibyteScalars()
    }

    /// Moves to the first byte that is a quotation mark, a backslash, a control character or not
    /// ASCII, or to the end.
    @inline(__always)
    private mutating func skipPlainBytes() {
        while position &+ 16 <= end {
            let special = Self.specialBytes(
                in: UnsafeRawPointer(bytes + position).loadUnaligned(as: SIMD16<UInt8>.self))
            if special.low | special.high != 0 {
                position &+=
                    special.low != 0
                    ? special.low.trailingZeroBitCount &>> 3
                    : 8 &+ special.high.trailingZeroBitCount &>> 3
                return
            }
            position &+= 16
        }
        while position < end, Self.isPlain(bytes[position]) { position &+= 1 }
    }

    /// The high bits of the bytes that are not plain, in two little-endian words.
    ///
    /// A subtraction sets an ASCII byte's high bit where it wraps around: minus one does where the
    /// byte is the character it was compared with, minus a space where it is a control character.
    @inline(__always)
    private static func specialBytes(in bytes: SIMD16<UInt8>) -> (low: UInt64, high: UInt64) {
        let quote = (bytes ^ UInt8(ascii: "\"")) &- 1
        let backslash = (bytes ^ UInt8(ascii: "\\")) &- 1
        let control = bytes &- 0x20
        let special = unsafeBitCast(
            (quote | backslash | control | bytes) & 0x80, to: SIMD2<UInt64>.self)
        return (UInt64(littleEndian: special[0]), UInt64(littleEndian: special[1]))
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x80).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func skipEscape() -> JSONError.Reason? {
        guard position + 1 < end else { return .unexpectedEnd }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
            return nil
        case UInt8(ascii: "u"):
            return skipUnicodeEscape()
        default:
            return .invalidEscape
        }
    }

    /// Skips `\uXXXX`, or both halves of a surrogate pair: half a pair is no Unicode scalar.
    private mutating func skipUnicodeEscape() -> JSONError.Reason? {
        guard let first = codeUnit(at: position) else {
            return position + 6 > end ? .unexpectedEnd : .invalidEscape
        }
        if first & 0xF800 != 0xD800 {
            position += 6
            return nil
        }
        guard first & 0xFC00 == 0xD800, let second = codeUnit(at: position + 6),
            second & 0xFC00 == 0xDC00
        else { return .invalidEscape }
        position += 12
        return nil
    }

    private func codeUnit(at index: Int) -> UInt32? {
        guard index + 6 <= end, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt32 = 0
        for step in 2..<6 {
            guard let digit = JSONTape.hexadecimalDigit(bytes[index + step]) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// Skips scalars beyond ASCII, by the table of well-formed sequences in the Unicode Standard
    /// (table 3-7).
    private mutating func skipMultibyteScalars() -> JSONError.Reason? {
        while position < end {
            let first = bytes[position]
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch first {
            case ..<0x80: return nil
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF:
                length = 3
                if first == 0xE0 { second = 0xA0...0xBF }
                if first == 0xED { second = 0x80...0x9F }
            case 0xF0...0xF4:
                length = 4
                if first == 0xF0 { second = 0x90...0xBF }
                if first == 0xF4 { second = 0x80...0x8F }
            default: return .invalidUTF8
            }
            guard position + length <= end, second.contains(bytes[position + 1]) else {
                return .invalidUTF8
            }
            for step in 2..<max(length, 2) where bytes[position + step] & 0xC0 != 0x80 {
                return .invalidUTF8
            }
            position += length
        }
        return nil
    }
}
