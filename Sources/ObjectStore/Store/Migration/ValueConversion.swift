import Foundation

/// How a stored value of one type becomes one of another.
///
/// A value that would not be the same afterwards is not converted: half a number, or a word as a
/// number, stays behind.
struct ValueConversion {
    let from: AttributeType
    let to: AttributeType

    /// Whether every value can be converted.
    var isTotal: Bool {
        switch (from, to) {
        case _ where from == to: true
        case (.integer, .string), (.integer, .decimal), (.integer, .json): true
        case (.boolean, .integer), (.boolean, .double), (.boolean, .decimal), (.boolean, .string),
            (.boolean, .json):
            true
        case (.decimal, .string), (.decimal, .json), (.url, .string), (.uuid, .string): true
        case (.string, .json), (.url, .json), (.uuid, .json), (.double, .string): true
        default: false
        }
    }

    /// The value as the other type has it, nil where it would be another value; `NULL` stays.
    func convert(_ value: SQLValue) -> SQLValue? {
        if from == to || value == .null { return value }
        switch (from, value) {
        case (.integer, .integer(let value)): return convert(integer: value)
        case (.boolean, .integer(let value)): return convert(boolean: value != 0)
        case (.double, .real(let value)): return convert(double: value)
        case (.decimal, .text(let text)): return convert(number: text)
        case (.string, .text(let text)): return convert(text: text)
        case (.url, .text(let text)), (.uuid, .text(let text)): return convert(name: text)
        case (.json, .text(let text)): return convert(json: text)
        default: return nil
        }
    }

    private func convert(integer value: Int64) -> SQLValue? {
        switch to {
        case .double:
            // Beyond 53 bits a double does not tell neighbours apart.
            value.magnitude <= 1 << 53 ? .real(Double(value)) : nil
        case .boolean: value == 0 || value == 1 ? .integer(value) : nil
        case .decimal, .string, .json: .text(String(value))
        default: nil
        }
    }

    private func convert(boolean value: Bool) -> SQLValue? {
        switch to {
        case .integer: .integer(value ? 1 : 0)
        case .double: .real(value ? 1 : 0)
        case .decimal: .text(value ? "1" : "0")
        case .string, .json: .text(value ? "true" : "false")
        default: nil
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
        default: nil
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
        default: nil
        }
    }

    private func convert(text: String) -> SQLValue? {
        switch to {
        case .integer:
            Int64(text).flatMap { String($0) == text ? .integer($0) : nil }
        case .double, .decimal:
            // Longer numbers than a decimal's would be rounded.
            text.utf8.count <= 38
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
        default: nil
        }
    }

    private func convert(name text: String) -> SQLValue? {
        switch to {
        case .string, .url: .text(text)
        case .json: .text(quoted(text))
        default: nil
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
        default: nil
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
