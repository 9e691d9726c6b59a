import Foundation

/// The conversion of a stored value of one type into one of another.
///
/// A value that would not be the same afterwards is not converted: half a number, or a word as a
/// number, stays behind.
struct ValueConversion {
    let from: AttributeType
    let to: AttributeType

    /// Whether every value can be converted.
    var isTotal: Bool {
        from == to || Self.totalGoals(of: from).contains(to)
    }

    /// Whether the value becomes text as the store spells it, which others may spell otherwise: a UUID
    /// in upper case, say.
    var respells: Bool {
        switch from {
        case .decimal, .url, .uuid: to == .string || to == .json
        case .double: to == .string
        case .integer, .boolean, .string, .date, .data, .json: false
        }
    }

    /// The other types that every value of a type can become.
    private static func totalGoals(of type: AttributeType) -> Set<AttributeType> {
        switch type {
        case .integer: [.string, .decimal, .json]
        case .double: [.string]
        case .decimal, .url, .uuid: [.string, .json]
        case .boolean: [.integer, .double, .decimal, .string, .json]
        case .string: [.json]
        case .date, .data, .json: []
        }
    }

    /// The value as the other type has it, nil where it would be another value; `NULL` stays.
    func convert(_ value: SQLValue) -> SQLValue? {
        if from == to || value == .null { return value }
        switch value {
        case .null: return .null
        case .integer(let value):
            switch from {
            case .integer: return convert(integer: value)
            case .boolean: return convert(boolean: value != 0)
            case .double, .decimal, .string, .date, .url, .uuid, .data, .json: return nil
            }
        case .real(let value):
            switch from {
            case .double: return convert(double: value)
            case .integer, .decimal, .boolean, .string, .date, .url, .uuid, .data, .json:
                return nil
            }
        case .text(let text):
            switch from {
            case .decimal: return convert(number: text)
            case .string: return convert(text: text)
            case .url, .uuid: return convert(name: text)
            case .json: return convert(json: text)
            case .integer, .double, .boolean, .date, .data: return nil
            }
        case .blob: return nil
        }
    }

    private func convert(integer value: Int64) -> SQLValue? {
        switch to {
        case .double:
            // Beyond 53 bits a double does not tell neighbours apart.
            value.magnitude <= 1 << 53 ? .real(Double(value)) : nil
        case .boolean: value == 0 || value == 1 ? .integer(value) : nil
        case .decimal, .string, .json: .text(String(value))
        case .integer, .date, .url, .uuid, .data: nil
        }
    }

    private func convert(boolean value: Bool) -> SQLValue? {
        switch to {
        case .integer: .integer(value ? 1 : 0)
        case .double: .real(value ? 1 : 0)
        case .decimal: .text(value ? "1" : "0")
        case .string, .json: .text(value ? "true" : "false")
        case .boolean, .date, .url, .uuid, .data: nil
        }
    }

    private func convert(double value: Double) -> SQLValue? {
        switch to {
        case .integer: Int64(exactly: value).map(SQLValue.integer)
        case .decimal:
            Decimal(spelling: "\(value)").flatMap {
                Double($0.description) == value ? .text($0.description) : nil
            }
        case .string: .text("\(value)")
        case .json: value.isFinite ? .text(CanonicalJSON.number("\(value)".utf8)) : nil
        case .double, .boolean, .date, .url, .uuid, .data: nil
        }
    }

    private func convert(number text: String) -> SQLValue? {
        guard let decimal = Decimal(spelling: text) else { return nil }
        return switch to {
        case .integer: Int64(decimal.description).map(SQLValue.integer)
        case .double:
            Double(text).flatMap { double in
                Decimal(spelling: "\(double)") == decimal ? .real(double) : nil
            }
        case .string: .text(text)
        case .json: .text(CanonicalJSON.number(text.utf8))
        case .decimal, .boolean, .date, .url, .uuid, .data: nil
        }
    }

    private func convert(text: String) -> SQLValue? {
        switch to {
        case .integer:
            Int64(text).flatMap { String($0) == text ? .integer($0) : nil }
        case .double, .decimal:
            // Longer numbers than a decimal's would be rounded.
            text.utf8.count <= 38 && !isPadded(text)
                ? Decimal(spelling: text).flatMap { decimal in
                    to == .decimal
                        ? .text(decimal.description)
                        : ValueConversion(from: .decimal, to: .double)
                            .convert(.text(decimal.description))
                } : nil
        case .boolean: text == "true" ? .integer(1) : text == "false" ? .integer(0) : nil
        case .date: seconds(text).map(SQLValue.real)
        case .url: URL(string: text).flatMap { $0.absoluteString == text ? .text(text) : nil }
        case .uuid: UUID(uuidString: text).map { .text($0.uuidString) }
        case .json: .text(quoted(text))
        case .string, .data: nil
        }
    }

    /// Whether a zero stands before another digit, as in a code, and in no number of JSON's.
    private func isPadded(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }.prefix(2)
        return digits.first == UInt8(ascii: "0")
            && digits.dropFirst().contains { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    private func convert(name text: String) -> SQLValue? {
        switch to {
        case .string, .url: .text(text)
        case .json: .text(quoted(text))
        case .integer, .double, .decimal, .boolean, .date, .uuid, .data: nil
        }
    }

    private func convert(json text: String) -> SQLValue? {
        guard let root = try? JSONDocument(text).root else { return nil }
        return switch to {
        case .string: root.string.map(SQLValue.text)
        case .boolean: root.bool.map { .integer($0 ? 1 : 0) }
        case .integer: root.integer.map(SQLValue.integer)
        case .double, .decimal:
            root.kind == .number
                ? ValueConversion(from: .string, to: to).convert(.text(text)) : nil
        case .date, .url, .uuid, .data, .json: nil
        }
    }

    private func seconds(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { ISO8601.date($0) }
    }

    private func quoted(_ text: String) -> String {
        var output = JSONOutput()
        output.append(string: text)
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
