extension JSONValue {
    /// Whether the value says yes, as a flag, a date or a cursor does.
    ///
    /// `null`, `false`, 0 and the strings "", "0", "false", "no" and "null", in any case, say no; so do an empty
    /// array, an empty object, and the dates by which servers say that there is none: of zeros alone, and the
    /// first second of the year 1.
    package var isTruth: Bool {
        switch kind {
        case .null: false
        case .boolean: bool == true
        case .number: double != 0
        case .string: string.map(Self.isTruth) ?? false
        case .array, .object: count != 0
        }
    }

    private static func isTruth(_ text: String) -> Bool {
        guard !["", "0", "false", "no", "null"].contains(text.lowercased()) else { return false }
        guard text.hasPrefix("0") else { return true }
        return !text.hasPrefix("0001-01-01T00:00:00")
            && !text.utf8.allSatisfy("0-: .TZ".utf8.contains)
    }
}
