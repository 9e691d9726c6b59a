import Foundation

@testable import LarderObjectStore

/// What a JSON value is to an attribute.
struct OracleReading {
    private let attribute: AttributeDescription

    init(_ attribute: AttributeDescription) { self.attribute = attribute }

    /// The value as the store keeps it; null for null.
    func value(of json: OracleJSON) throws(OracleRefusal) -> SQLValue {
        if json == .null { return .null }
        let value: SQLValue? =
            switch (attribute.type, json) {
            case (.integer, .number(let text)): integer(text).map(SQLValue.integer)
            case (.double, .number(let text)): .real(real(text))
            case (.boolean, .boolean(let value)): .integer(value ? 1 : 0)
            case (.string, .string(let text, _)): .text(text)
            case (.string, .number(let text)) where attribute.transformer == .string: .text(text)
            case (.string, .boolean(let value)) where attribute.transformer == .string:
                .text(value ? "true" : "false")
            case (.date, .string(let text, _)): date(text).map(SQLValue.real)
            default: nil
            }
        guard let value else { throw OracleRefusal("\(attribute.name) can't be \(json.text)") }
        return value
    }

    private func integer(_ text: String) -> Int64? {
        Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }

    private func real(_ text: String) -> Double {
        isSingle ? Double(Float(text) ?? 0) : Double(text) ?? 0
    }

    /// Whether the attribute's Swift type is `Float`.
    private var isSingle: Bool { attribute.name.hasPrefix(OracleNames.single) }

    private func date(_ text: String) -> Double? {
        (try? Date(text, strategy: .iso8601))?.timeIntervalSinceReferenceDate
    }
}

/// The beginnings of names by which generated attributes say what they are.
enum OracleNames {
    /// An attribute whose Swift type is `Float`.
    static let single = "single"
    /// The key that an object may stand at which a transformer unwraps.
    static let wrapped = "wrapped"
}
