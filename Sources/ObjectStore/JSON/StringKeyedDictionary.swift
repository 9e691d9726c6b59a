/// A dictionary whose keys are data, so that no strategy converts them.
protocol StringKeyedDictionary {
    /// Reads the members of an object.
    static func decode(from decoder: JSONValueDecoder) throws -> Self
}

extension Dictionary: StringKeyedDictionary where Key == String, Value: Decodable {
    static func decode(from decoder: JSONValueDecoder) throws -> [String: Value] {
        guard decoder.value.kind == .object else { throw decoder.mismatch(Self.self) }
        let members = JSONMembers(of: decoder.value)
        var dictionary: [String: Value] = [:]
        for key in members.keys {
            guard let value = members[key] else { continue }
            let decoder = decoder.decoder(of: value, at: JSONCodingKey(stringValue: key))
            dictionary[key] = try decoder.decode(Value.self)
        }
        return dictionary
    }
}
