import Foundation

extension ValueCoder {
    /// Writes the JSON that would be mapped to a column's value, which is not empty; false where JSON
    /// has no such value, as for a number that is infinite.
    func writeJSON(of value: SQLValue, to output: inout JSONOutput) -> Bool {
        switch self {
        case .boolean, .looseBoolean:
            return value.integer.map { output.append($0 == 0 ? "false" : "true") } != nil
        case .integer:
            return value.integer.map { output.append(String($0)) } != nil
        case .integerInString:
            return value.integer.map { output.append(string: String($0)) } != nil
        case .double:
            return value.real.flatMap(Self.number).map { output.append($0) } != nil
        case .single:
            return value.real.flatMap(Self.single).map { output.append($0) } != nil
        case .doubleInString:
            return value.real.flatMap(Self.number).map { output.append(string: $0) } != nil
        case .singleInString:
            return value.real.flatMap(Self.single).map { output.append(string: $0) } != nil
        case .dateISO8601:
            return value.real.flatMap(ISO8601.text).map { output.append(string: $0) } != nil
        case .dateRFC1123:
            return value.real.flatMap(RFC1123.text).map { output.append(string: $0) } != nil
        case .dateUnix(let perSecond):
            return value.real.flatMap { Self.unix($0, perSecond: perSecond) }
                .map { output.append($0) } != nil
        case .string, .url, .uuid:
            return value.text.map { output.append(string: $0) } != nil
        case .decimal, .looseString:
            // A string that stands for a number goes back as one.
            return value.text.map {
                if Self.isJSONNumber($0) { output.append($0) } else { output.append(string: $0) }
            } != nil
        case .json:
            return value.text.map { output.append(json: $0) } != nil
        case .base64:
            return value.blob.map { output.append(string: Data($0).base64EncodedString()) } != nil
        case .special:
            return false
        }
    }

    /// The text of a `Float`, which is shorter than that of the `Double` that it is kept as.
    private static func single(_ value: Double) -> String? { number(Float(value)) }

    /// Whole numbers in their digits, others in as few as lead back to the same number.
    private static func number(_ value: some BinaryFloatingPoint & CustomStringConvertible)
        -> String?
    {
        guard value.isFinite else { return nil }
        // Negative zero has no whole number.
        guard value != 0 || value.sign == .plus else { return "-0.0" }
        return Int64(exactly: value).map(String.init) ?? value.description
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

extension SQLValue {
    fileprivate var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    fileprivate var real: Double? { if case .real(let value) = self { value } else { nil } }
    fileprivate var text: String? { if case .text(let value) = self { value } else { nil } }
    fileprivate var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}
