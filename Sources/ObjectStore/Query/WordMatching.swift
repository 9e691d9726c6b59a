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
