import HTTPTypes

/// The part of a representation that content is, as `Content-Range` has it (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    /// The position of the first byte.
    let first: Int
    /// The position of the last byte, behind which there is room for another one.
    let last: Int
    /// The size of the whole, nil where it is not known.
    let total: Int?

    /// Reads the field; nil where it says something else, or nothing.
    init?(_ fields: HTTPFields) {
        guard let text = fields[.contentRange], text.lowercased().hasPrefix("bytes ") else {
            return nil
        }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < .max
        else { return nil }
        (self.first, self.last) = (first, last)
        if parts[1] == "*" {
            total = nil
        } else {
            guard let total = Self.number(parts[1]), last < total else { return nil }
            self.total = total
        }
    }

    /// The size of the whole that a refusal of a range names, as in `bytes */10` (RFC 9110, section 14.4); nil where
    /// it names none.
    static func size(in fields: HTTPFields) -> Int? {
        guard let text = fields[.contentRange], text.lowercased().hasPrefix("bytes */") else {
            return nil
        }
        return number(text.dropFirst(8))
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
