import Foundation
import HTTPTypes

extension ResponseHead {
    /// Takes over the last head where this one is the same but for some values, as it is where one server answers
    /// again and again; nil where it is any other, or one to be looked at closely.
    init?(changing last: ReadHead, to bytes: [UInt8], _ limits: TransportLimits) {
        let lines = last.head.lines
        guard let first = lines.first, lines.count <= limits.maximumHeaderFieldCount else {
            return nil
        }
        self = last.head
        let isAlike = bytes.withUnsafeBytes { bytes in
            last.bytes.withUnsafeBytes { lastBytes in
                let known = LineReader(bytes)
                var start = first.range.lowerBound
                guard known.holds(lastBytes[..<start], at: 0) else { return false }
                for (index, line) in lines.enumerated() {
                    guard !line.range.isEmpty else { return false }
                    var end = start + line.range.count
                    if !known.holds(lastBytes[line.range], at: start) {
                        let nameEnd = line.range.lowerBound + line.nameCount + 1
                        let value = start + line.nameCount + 1
                        guard known.holds(lastBytes[line.range.lowerBound..<nameEnd], at: start),
                            let next = known.endOfPlainLine(from: value),
                            change(index, line, to: bytes[value..<next])
                        else { return false }
                        end = next
                    }
                    if start != line.range.lowerBound || end - start != line.range.count {
                        self.lines[index] = FieldLine(range: start..<end, line)
                    }
                    start = end
                }
                let rest = lastBytes[lines[lines.count - 1].range.upperBound...]
                return known.holds(rest, at: start) && start + rest.count == bytes.count
            }
        }
        guard isAlike else { return nil }
    }

    /// Gives a field another value, the rest of its line; false where that is to be looked at closely.
    private mutating func change(
        _ index: Int, _ line: FieldLine, to rest: Slice<UnsafeRawBufferPointer>
    ) -> Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
        var (start, end) = (rest.startIndex, rest.endIndex)
        while start < end, isBlank(rest[start]) { start += 1 }
        while start < end, isBlank(rest[end - 1]) { end -= 1 }
        let field = message.headerFields[index]
        let value = String(decoding: rest[start..<end], as: UTF8.self)
        if line.saysHowToRead {
            // More than one may have said the same.
            guard field.name == .contentLength, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
                let length = Int64(value), lines.count(where: \.saysHowToRead) == 1
            else { return false }
            contentLength = length
        }
        message.headerFields[index] = HTTPField(name: field.name, value: value)
        return true
    }

    /// The bytes of a head, looked at line by line.
    private struct LineReader {
        private let bytes: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        /// Whether the same bytes stand at a place.
        func holds(_ other: Slice<UnsafeRawBufferPointer>, at start: Int) -> Bool {
            guard start + other.count <= bytes.count else { return false }
            guard let base = bytes.baseAddress, let otherBase = other.base.baseAddress else {
                return other.isEmpty
            }
            return memcmp(base + start, otherBase + other.startIndex, other.count) == 0
        }

        /// The end of a line, with its line break, that holds nothing but visible ASCII, spaces and tabs before that;
        /// nil for any other.
        func endOfPlainLine(from start: Int) -> Int? {
            var end = start
            while end < bytes.count {
                switch bytes[end] {
                case 0x20..<0x7F, 0x09: end += 1
                case 0x0A: return end + 1
                case 0x0D where end + 1 < bytes.count && bytes[end + 1] == 0x0A: return end + 2
                default: return nil
                }
            }
            return nil
        }
    }
}
