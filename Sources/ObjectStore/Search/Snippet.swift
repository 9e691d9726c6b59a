/// A piece of an object's text, and where in it the words are that were searched for.
public struct Snippet: Hashable, Sendable {
    /// The piece; `…` stands where it leaves something out.
    public let text: String
    /// The ranges of the words that were searched for, in order.
    public let matches: [Range<String.Index>]

    /// Takes the marks out of a text in which they stand around each match.
    ///
    /// - Parameter whole: The text without marks, where all of it was to be marked.
    init(_ marked: String, between marks: Marks, of whole: String? = nil) {
        var text: [UInt8] = []
        var ranges: [Range<Int>] = []
        var start: Int?
        var rest = Array(marked.utf8)[...]
        while let byte = rest.first {
            if rest.starts(with: marks.opening.utf8) {
                rest = rest.dropFirst(marks.opening.utf8.count)
                start = text.count
            } else if rest.starts(with: marks.closing.utf8) {
                rest = rest.dropFirst(marks.closing.utf8.count)
                if let begin = start { ranges.append(begin..<text.count) }
                start = nil
            } else {
                text.append(byte)
                rest = rest.dropFirst()
            }
        }
        if let whole, whole.utf8.contains(0) {
            let bytes = Array(whole.utf8)
            ranges = Self.ranges(ranges, of: text, in: bytes)
            text = bytes
        }
        let piece = String(decoding: text, as: UTF8.self)
        self.text = piece
        matches = ranges.map { range in
            piece.utf8.index(
                piece.startIndex, offsetBy: range.lowerBound)..<piece.utf8.index(
                    piece.startIndex, offsetBy: range.upperBound)
        }
    }

    /// Finds the ranges of a copy in the text that it was made of: FTS5 ends what it copies between two
    /// marks at a NUL.
    private static func ranges(
        _ ranges: [Range<Int>], of copy: [UInt8], in whole: [UInt8]
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var (copied, position) = (0, 0)
        for range in ranges {
            let lead = copy[copied..<range.lowerBound]
            let match = copy[range]
            let both = copy[copied..<range.upperBound]
            var start = position + lead.count
            if !whole[position...].starts(with: both) {
                let isCut = whole[position...].starts(with: lead + [0])
                // Where the match before was cut itself, it goes on with what stands before this one.
                let rest = isCut ? whole[start...] : whole[position...]
                let wanted = isCut ? match : both
                let offset = isCut ? 0 : lead.count
                guard
                    let next = rest.indices.first(where: {
                        whole[$0...].starts(with: wanted)
                            && isOfWords($0 + offset..<$0 + wanted.count, in: whole)
                    })
                else { break }
                start = next + offset
            }
            found.append(start..<start + match.count)
            (copied, position) = (range.upperBound, start + match.count)
        }
        return found
    }

    /// Whether a range begins and ends where words do, as the tokenizer `unicode61` tells them.
    private static func isOfWords(_ range: Range<Int>, in text: [UInt8]) -> Bool {
        let before = String(decoding: text[..<range.lowerBound].suffix(4), as: UTF8.self)
        let behind = String(decoding: text[range.upperBound...].prefix(4), as: UTF8.self)
        return !(before.unicodeScalars.last.map(isInWord) ?? false)
            && !(behind.unicodeScalars.first.map(isInWord) ?? false)
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .privateUse, .nonspacingMark:
            true
        default: false
        }
    }

    /// The piece with something before and behind each match: `snippet.marked("<b>", "</b>")`.
    ///
    /// The text itself stays as it is: what goes into a page of HTML must be escaped first.
    public func marked(_ opening: String, _ closing: String) -> String {
        var marked = ""
        var position = text.startIndex
        for range in matches {
            marked += text[position..<range.lowerBound] + opening + text[range] + closing
            position = range.upperBound
        }
        return marked + text[position...]
    }
}

extension Snippet {
    /// The marks that FTS5 puts around matches: nothing that a text is likely to hold.
    struct Marks {
        let opening: String
        let closing: String

        /// Marks that nobody can know in advance.
        init(_ number: UInt64 = .random(in: .min ... .max)) {
            opening = "\u{F8FE}\(number)\u{F8FE}"
            closing = "\u{F8FD}\(number)\u{F8FD}"
        }
    }
}

/// An object that a search has found, and what it was found by.
public struct SearchHit<Object: Entity>: Sendable {
    /// The object.
    public let object: Object
    /// The quality of the match: the larger the better, by BM25.
    ///
    /// It says something beside that of other objects of the same search only.
    public let relevance: Double
    /// The piece of its text where the words are; empty text where nothing is searched for.
    public let snippet: Snippet
}
