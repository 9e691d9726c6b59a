/// The spelling of a property's name in snake case.
///
/// A copy of what `KeyStyle.snakeCase` does in the object store, which a compiler plugin cannot
/// link; the tests of both read the same table.
struct SnakeCase {
    let text: String

    init(_ name: String) {
        var words = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, SnakeCase.startsWord(at: index, in: letters) {
                words.append("_")
            }
            words.append(contentsOf: letter.lowercased())
        }
        text = words
    }

    /// Whether the capital at `index` opens a word: the first of a run does, and so does the last
    /// of a run that a small letter follows, unless that letter is the plural's `s`.
    private static func startsWord(at index: Int, in letters: [Character]) -> Bool {
        guard index > 0, letters[index - 1] != "_" else { return false }
        guard letters[index - 1].isUppercase else { return true }
        guard index + 1 < letters.count, letters[index + 1].isLowercase else { return false }
        let isPlural =
            letters[index + 1] == "s"
            && (index + 2 == letters.count || !letters[index + 2].isLowercase)
        return !isPlural
    }
}
