extension JSONValue {
    /// Whether the value says yes, as a flag, a date or a cursor does.
    ///
    /// `null`, `false`, 0 and the strings "", "0" and "false" say no; so do an empty array and an empty object.
    package var isTruth: Bool {
        switch kind {
        case .null: false
        case .boolean: bool == true
        case .number: double != 0
        case .string: !["", "0", "false"].contains(string)
        case .array, .object: count != 0
        }
    }
}
