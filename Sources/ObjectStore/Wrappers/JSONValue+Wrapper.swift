extension JSONValue {
    /// Reads a `Decodable` type whose stored parts are written in a transaction.
    func decode<Result: Decodable>(_ type: Result.Type, in context: Context) throws -> Result {
        let shared = JSONDecoding(
            options: context.decodingOptions, destination: context,
            noteFailure: { error, type in
                if type is any Wrapper.Type { context.noteFailure(error) }
            })
        return try JSONValueDecoder(value: self, codingPath: [], shared: shared).decode(type)
    }
}
