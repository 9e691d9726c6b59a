import Foundation

extension RedactedText {
    /// Passes over a name, with escapes and whatever is not ASCII in it; in quotes it may hold spaces.
    mutating func skipName() -> Bool {
        guard isInName(index), bytes[index] != UInt8(ascii: "-"), bytes[index] != UInt8(ascii: ".")
        else { return false }
        if let end = endOfQuotedName() {
            index = end
            return true
        }
        while index < bytes.count, isInName(index) {
            index += bytes[index] == Self.backslash ? 6 : 1
        }
        index = min(index, bytes.count)
        return true
    }

    func isInName(_ index: Int) -> Bool {
        let byte = bytes[index]
        switch byte {
        case Self.backslash:
            return index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "u")
        case Self.percent:
            return decodedByte(at: index).map(Self.isInName) ?? false
        default:
            return Self.isInName(byte)
        }
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || SecretNames.isLetter(byte) || SecretNames.isDigit(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Returns the end of a name that a quote stands before; nil where what is in quotes is none.
    private func endOfQuotedName() -> Int? {
        guard index > 0, bytes[index - 1] == 0x22 || bytes[index - 1] == 0x27 else { return nil }
        let quote = bytes[index - 1]
        let sight = bytes[index..<min(index + Self.sight, bytes.count)]
        guard var end = sight.firstIndex(where: { $0 == quote || $0 == 0x0A || $0 == 0x0D }),
            bytes[end] == quote
        else { return nil }
        var ahead = self
        ahead.index = end
        guard ahead.skipMark() != nil else { return nil }
        while end > index, bytes[end - 1] == Self.backslash { end -= 1 }
        return end > index ? end : nil
    }

    /// A name without the escapes of JSON and of URLs.
    static func decoded(_ name: ArraySlice<UInt8>) -> String {
        let text = String(decoding: name, as: UTF8.self)
        guard name.contains(where: { $0 == backslash || $0 == percent }) else { return text }
        let plain = text.replacing(/\\u([0-9A-Fa-f]{4})/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
        return plain.removingPercentEncoding ?? plain
    }
}
