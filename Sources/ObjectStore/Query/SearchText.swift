/// The words searched for, all of which an object's text must hold.
///
/// It becomes a query of FTS5 in which each word stands in quotes, so that nothing in it is taken
/// for an operator. What stands between spaces counts as one word; where FTS5 sees several in it,
/// as in `foo-bar`, they must follow each other.
struct SearchText: Hashable, Sendable {
    private let words: [Word]

    private struct Word: Hashable {
        let text: String
        let isPrefix: Bool
    }

    init(_ text: String, _ matching: WordMatching) {
        // A query of FTS5 ends at its first NUL.
        let words = text.unicodeScalars.split { $0 == "\0" || $0.properties.isWhitespace }
        self.words = words.enumerated().map { index, word in
            let isPrefix =
                switch matching {
                case .wholeWords: false
                case .prefixes: true
                case .lastPrefix: index == words.count - 1
                }
            return Word(text: String(word), isPrefix: isPrefix)
        }
    }

    private init(_ words: [Word]) { self.words = words }

    /// Whether nothing is searched for, so that all objects are found.
    var isEmpty: Bool { words.isEmpty }

    /// The words of both.
    func joined(with other: SearchText) -> SearchText { SearchText(words + other.words) }

    /// The query of FTS5 that searches columns of an index.
    func pattern(columns: [Int]) -> String {
        let names = columns.map { "c\($0)" }.joined(separator: " ")
        let terms = words.map { word in
            "\"\(word.text.doubling("\""))\"\(word.isPrefix ? " *" : "")"
        }
        return "{\(names)} : (\(terms.joined(separator: " ")))"
    }
}

/// The rule by which a word searched for matches words of an object's text.
///
/// Letters match in either case and with any accent: `cafe` matches `Café`.
public enum WordMatching: Hashable, Sendable {
    /// The same word.
    case wholeWords
    /// All words that begin so.
    case prefixes
    /// The same word; for the last one all words that begin so, as for text that is being typed.
    case lastPrefix
}
