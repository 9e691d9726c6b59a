extension String {
    /// The name as SQL takes it whatever it holds: quoted, its quotation marks doubled.
    var sqlName: String {
        "\"" + replacing("\"", with: "\"\"") + "\""
    }
}
