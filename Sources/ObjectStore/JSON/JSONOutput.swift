/// JSON in UTF-8 that is being written.
struct JSONOutput {
    private(set) var bytes: [UInt8] = []

    /// The number of bytes.
    var count: Int { bytes.count }

    /// The last byte.
    var last: UInt8? { bytes.last }

    /// Appends JSON as it is.
    mutating func append(_ json: some StringProtocol) { bytes.append(contentsOf: json.utf8) }

    /// Appends JSON as it is.
    mutating func append(_ json: some Collection<UInt8>) { bytes.append(contentsOf: json) }

    /// Appends a string with its quotation marks.
    mutating func append(string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case ..<0x20:
                let digits = String(byte, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Takes back what has been appended since there were so many bytes.
    mutating func cut(to count: Int) { bytes.removeLast(bytes.count - count) }

    /// Returns the bytes that have been appended since there were so many.
    func text(from count: Int) -> ArraySlice<UInt8> { bytes[count...] }

    /// Removes all, and keeps the room that it took.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
