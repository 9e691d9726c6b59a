extension String {
    /// The text as a Swift string literal.
    var swiftLiteral: String {
        "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
