extension JSONValue {
    /// Reads a `Decodable` type whose stored parts are written in a transaction.
    func decode<Result: Decodable>(_ type: Result.Type, in context: Context) throws -> Result {
        let shared = JSONDecoding(options: context.decodingOptions, destination: context)
        return try JSONValueDecoder(value: self, codingPath: [], shared: shared).decode(type)
    }
}
