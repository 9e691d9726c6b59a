import Foundation
import HTTPTypes

/// The one part of a representation that a request asks for (RFC 9110, section 14.1.2).
enum ByteRange: Equatable {
    /// From a position to another, both included, or to the end.
    case from(Int, to: Int?)
    /// So many bytes at the end.
    case last(Int)

    /// Reads a request's `Range`; nil where it is none of bytes, or one of several parts.
    init?(_ text: String) {
        let words = text.split(separator: "=", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let ends = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (let first?, let last?) where first <= last: self = .from(first, to: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, to: nil)
        case (nil, let count?) where ends[0].isEmpty && count > 0: self = .last(count)
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> Int? {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// The positions that it means in so many bytes; nil where it means none of them.
    func positions(in total: Int) -> Range<Int>? {
        switch self {
        case .from(let first, let last):
            guard first < total else { return nil }
            return first..<min(last.map { $0 < total ? $0 + 1 : total } ?? total, total)
        case .last(let count):
            return total > 0 ? max(total - count, 0)..<total : nil
        }
    }
}
