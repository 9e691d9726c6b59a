/// A pattern in which `%` stands for any text and `_` for one character.
///
/// It is SQLite's `LIKE` with a backslash that takes the meaning from what follows it, but of any
/// length, and for text with a NUL in it too: capital and small letters of ASCII are the same.
struct TextPattern {
    private let pattern: UnsafeBufferPointer<UInt8>

    init(_ pattern: UnsafeBufferPointer<UInt8>) { self.pattern = pattern }

    /// Whether the whole of a text matches.
    ///
    /// Where a text does not go on as the pattern does, only the last `%` is tried once more with one
    /// character more; what earlier ones stand for need not change.
    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var (place, next) = (0, 0)
        var retry: (place: Int, next: Int)?
        while next < text.count {
            if place < pattern.count {
                switch pattern[place] {
                case UInt8(ascii: "%"):
                    place += 1
                    retry = (place, next)
                    continue
                case UInt8(ascii: "_"):
                    place += 1
                    next = Self.end(ofScalarAt: next, in: text)
                    continue
                case UInt8(ascii: "\\"):
                    if place + 1 < pattern.count, Self.areSame(pattern[place + 1], text[next]) {
                        place += 2
                        next += 1
                        continue
                    }
                case let letter:
                    if Self.areSame(letter, text[next]) {
                        place += 1
                        next += 1
                        continue
                    }
                }
            }
            guard let last = retry else { return false }
            next = Self.end(ofScalarAt: last.next, in: text)
            place = last.place
            retry = (place, next)
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "%") }
    }

    private static func end(
        ofScalarAt start: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var end = start + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    private static func areSame(_ left: UInt8, _ right: UInt8) -> Bool {
        left == right || small(left) == small(right)
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
