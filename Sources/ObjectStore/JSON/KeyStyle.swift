/// A rule that makes the JSON key of a property from its name.
public enum KeyStyle: String, Codable, Sendable, CaseIterable {
    /// The key is the name.
    case verbatim
    /// The key is the name in small letters with an underscore between its words.
    ///
    /// A word begins at a capital after a small letter or a digit, and at the last capital of
    /// several that a small letter follows: `createdAt` becomes `created_at`, `avatarURL`
    /// `avatar_url`, `htmlURLText` `html_url_text`. The `s` of a plural stays with its capitals
    /// (`labelIDs`: `label_ids`) and digits with the letters before them (`id2`: `id2`,
    /// `sha256Sum`: `sha256_sum`). Underscores stay as they are.
    case snakeCase = "snake_case"

    /// The key of a property.
    public func key(for name: String) -> String {
        switch self {
        case .verbatim: name
        case .snakeCase: KeyStyle.snakeCased(name)
        }
    }

    private static func snakeCased(_ name: String) -> String {
        var key = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, startsWord(at: index, in: letters) { key.append("_") }
            key.append(contentsOf: letter.lowercased())
        }
        return key
    }

    /// Whether the capital at `index` opens a word: the first of several does, and so does the last
    /// that a small letter follows, unless that letter is the plural's `s`.
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
