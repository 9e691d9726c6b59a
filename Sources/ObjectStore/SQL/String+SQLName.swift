extension String {
    /// The name as SQL takes it whatever it holds: quoted, its quotation marks doubled.
    var sqlName: String { "\"\(doubling("\""))\"" }

    /// The text with a quotation mark doubled wherever it stands.
    ///
    /// Text is looked at by its scalars, as SQLite does: to Swift a quotation mark with an accent
    /// on it is another character.
    func doubling(_ mark: Unicode.Scalar) -> String {
        guard unicodeScalars.contains(mark) else { return self }
        var doubled = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == mark { doubled.append(mark) }
            doubled.append(scalar)
        }
        return String(doubled)
    }
}
