extension JSONValue {
    /// Reads a `Decodable` type whose stored parts are written in a transaction.
    func decode<Result: Decodable>(_ type: Result.Type, in context: Context) throws -> Result {
        let shared = JSONDecoding(options: context.decodingOptions, destination: context)
        shared.readings?.note(self)
        return try JSONValueDecoder(value: self, codingPath: [], shared: shared).decode(type)
    }
}

extension JSONValueDecoder {
    /// The transaction that stored parts are written in, nil where there is none.
    var context: Context? { shared.destination as? Context }
}

extension Context: PartDestination {
    var partCount: Int { imports.partCount }

    var readings: JSONReadings? { imports.readings }

    func noteFailure(_ error: any Error, of type: Any.Type, since count: Int) {
        if type is any Wrapper.Type { imports.noteFailure(error, since: count) }
    }
}
