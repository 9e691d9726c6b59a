public import Foundation

extension String: AttributeValue {
    /// Text.
    public static var attributeType: AttributeType { .string }

    /// Takes text.
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }

    /// The text.
    public var sqlValue: SQLValue { .text(self) }

    /// Reads text.
    @inlinable
    public static func read(_ column: RowColumn) -> String? { column.text }
}

extension Date: AttributeValue {
    /// A point in time.
    public static var attributeType: AttributeType { .date }

    /// Takes seconds since the beginning of 2001.
    public init?(sqlValue: SQLValue) {
        guard let seconds = Double(sqlValue: sqlValue) else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }

    /// Seconds since the beginning of 2001.
    public var sqlValue: SQLValue { .real(timeIntervalSinceReferenceDate) }

    /// Reads seconds since the beginning of 2001.
    @inlinable
    public static func read(_ column: RowColumn) -> Date? {
        column.double.map { Date(timeIntervalSinceReferenceDate: $0) }
    }
}

extension URL: AttributeValue {
    /// A URL.
    public static var attributeType: AttributeType { .url }

    /// Takes the text of a URL.
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(string: text)
    }

    /// The whole URL as text.
    public var sqlValue: SQLValue { .text(absoluteString) }
}

extension UUID: AttributeValue {
    /// A UUID.
    public static var attributeType: AttributeType { .uuid }

    /// Takes the text of a UUID.
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(uuidString: text)
    }

    /// The UUID in upper-case letters.
    public var sqlValue: SQLValue { .text(uuidString) }
}

extension Data: AttributeValue {
    /// Bytes.
    public static var attributeType: AttributeType { .data }

    /// Takes a blob.
    public init?(sqlValue: SQLValue) {
        guard case .blob(let bytes) = sqlValue else { return nil }
        self.init(bytes)
    }

    /// The bytes.
    public var sqlValue: SQLValue { .blob([UInt8](self)) }
}
