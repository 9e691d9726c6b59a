import Foundation

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

extension ValueCoder {
    /// Writes the JSON that would be mapped to a column's value, which is not empty; false where JSON
    /// has no such value, as for a number that is infinite.
    func writeJSON(of value: SQLValue, to output: inout JSONOutput) -> Bool {
        switch (self, value) {
        case (.boolean, .integer(let value)), (.looseBoolean, .integer(let value)):
            output.append(value == 0 ? "false" : "true")
        case (.integer, .integer(let value)):
            output.append(String(value))
        case (.integerInString, .integer(let value)):
            output.append(string: String(value))
        case (.base64, .blob(let bytes)):
            output.append(string: Data(bytes).base64EncodedString())
        case (_, .real(let value)):
            guard let json = json(of: value) else { return false }
            output.append(json)
        case (.decimal, .text(let text)), (.looseString, .text(let text)):
            // A string that stands for a number goes back as one.
            if Self.isJSONNumber(text) { output.append(text) } else { output.append(string: text) }
        case (.json, .text(let text)):
            output.append(json: text)
        case (_, .text(let text)):
            output.append(string: text)
        default:
            return false
        }
        return true
    }

    /// The JSON of a number or a point in time.
    private func json(of value: Double) -> String? {
        switch self {
        case .doubleInString: Self.number(value).map { "\"\($0)\"" }
        case .dateISO8601: ISO8601.text(of: value).map { "\"\($0)\"" }
        case .dateRFC1123: RFC1123.text(of: value).map { "\"\($0)\"" }
        case .dateUnix(let perSecond): Self.unix(value, perSecond: perSecond)
        default: Self.number(value)
        }
    }

    private static func number(_ value: Double) -> String? {
        guard value.isFinite else { return nil }
        // Negative zero has no whole number.
        guard value != 0 || value.sign == .plus else { return "-0.0" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    /// As few digits of the fraction as lead back to the same moment.
    private static func unix(_ value: Double, perSecond: Double) -> String? {
        let time = (value + Date.timeIntervalBetween1970AndReferenceDate) * perSecond
        for scale in [1.0, 1_000, 1_000_000] {
            let rounded = (time * scale).rounded() / scale
            if rounded / perSecond - Date.timeIntervalBetween1970AndReferenceDate == value {
                return number(rounded)
            }
        }
        return number(time)
    }

    /// Whether text is a number as JSON spells it, to the letter.
    private static func isJSONNumber(_ text: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || digits.contains(first),
            let last = text.utf8.last, digits.contains(last)
        else { return false }
        return (try? JSONDocument(text, depthLimit: .max)) != nil
    }
}

extension JSONOutput {
    /// Appends JSON that is kept as it came, in one line; a string where it turns out to be none.
    fileprivate mutating func append(json text: String) {
        guard (try? JSONDocument(text, depthLimit: .max)) != nil else {
            return append(string: text)
        }
        // Strings have no line breaks in them, so that all stand between values.
        append(text.utf8.filter { $0 != 0x0A && $0 != 0x0D })
    }
}
