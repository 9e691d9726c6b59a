extension EntityPlan.Column {
    /// Writes the JSON of an attribute's value, which is not empty; false where it has none.
    ///
    /// - Throws: What a transformer's closure throws, or `StoreError` where JSON has no such value,
    ///   as for a number that is infinite: left out it would stay what it is in who reads the JSON,
    ///   as `null` it would be cleared there.
    func writeJSON(of value: SQLValue, to output: inout JSONOutput) throws -> Bool {
        if let json = converter?.json {
            guard let made = try json(value) else { return false }
            output.append(made)
            return true
        }
        guard let coder = converter?.plainCoder ?? coder else { return false }
        guard coder.writeJSON(of: value, to: &output) else {
            throw StoreError(.unexpectedValue, "JSON has no such value")
        }
        return true
    }
}
