/// The values of its column's type that an attribute takes.
///
/// They come from the Swift type: the range of `Int16`, the raw values of an enum. Model files know
/// nothing of them, and they play no part in comparing descriptions.
public struct AllowedValues: Sendable {
    enum Kind: Sendable {
        case all
        case integers(ClosedRange<Int64>)
        case reals(ClosedRange<Double>)
        case list([SQLValue])
        /// Numbers of single precision.
        case singles
        case those(
            @Sendable (SQLValue) -> Bool, expectation: String,
            objection: (@Sendable (SQLValue) -> String?)? = nil)
    }

    let kind: Kind
    /// Whether they are numbers of single precision, the nearest of which others are kept as.
    var isSingle = false
    /// Says how the Swift type writes a value that it takes; nil where it may be but as it came.
    var spelling: (@Sendable (SQLValue) -> SQLValue?)?

    /// All values of the column's type.
    public static let all = AllowedValues(kind: .all)

    /// The whole numbers of a range.
    public static func integers(_ range: ClosedRange<Int64>) -> AllowedValues {
        AllowedValues(kind: range == .min ... .max ? .all : .integers(range))
    }

    /// The numbers of a range.
    public static func reals(_ range: ClosedRange<Double>) -> AllowedValues {
        AllowedValues(kind: .reals(range))
    }

    /// These values and no others.
    public static func list(_ values: [SQLValue]) -> AllowedValues {
        AllowedValues(kind: .list(values))
    }

    /// The values that pass a test.
    ///
    /// - Parameter expectation: What they are, in an error's words: "a colour of the palette".
    public static func those(
        _ expectation: String, _ isAllowed: @escaping @Sendable (SQLValue) -> Bool
    ) -> AllowedValues {
        AllowedValues(kind: .those(isAllowed, expectation: expectation))
    }

    /// Those that a value of a type can be made of, each kept as the type writes it, be it JSON's or code's.
    ///
    /// For a type that takes several spellings of one value, such as an address in capital letters too. It has to write
    /// the same value the same way each time, also in the next process, which a set's order, and that of keys by
    /// `JSONEncoder`, is not. Types with raw values have these.
    public static func spelled<Value: AttributeValue>(by type: Value.Type) -> AllowedValues {
        spelled(by: type, "a value of")
    }

    /// - Parameter kind: What they are of the type, in an error's words.
    static func spelled<Value: AttributeValue>(
        by type: Value.Type, _ kind: String
    ) -> AllowedValues {
        var values = those("\(kind) \(type)") { Value(sqlValue: $0) != nil }
        values.spelling = spelling(of: type)
        return values
    }

    /// Says how a type writes what a value of it is made of.
    static func spelling<Value: AttributeValue>(
        of type: Value.Type
    ) -> @Sendable (SQLValue) -> SQLValue? {
        { Value(sqlValue: $0)?.sqlValue }
    }

    /// The numbers that a `Float` can be, the nearest of which others are kept as.
    static let singles = AllowedValues(kind: .singles, isSingle: true)

    /// The values to which nothing is objected, in an error's words.
    static func those(
        _ expectation: String, objection: @escaping @Sendable (SQLValue) -> String?
    ) -> AllowedValues {
        AllowedValues(
            kind: .those(
                { objection($0) == nil }, expectation: expectation, objection: objection))
    }

    /// Whether a value is among them; an empty one is, where the attribute is optional.
    public func contains(_ value: SQLValue) -> Bool {
        if isSingle, case .real(let number) = value, !Float(number).isFinite { return false }
        return switch (kind, value) {
        case (.all, _), (_, .null): true
        case (.integers(let range), .integer(let value)): range.contains(value)
        case (.reals(let range), .real(let value)): range.contains(value)
        case (.reals(let range), .integer(let value)): range.contains(Double(value))
        case (.singles, .real(let value)): Float(value).isFinite
        case (.singles, .integer): true
        case (.integers, _), (.reals, _), (.singles, _): false
        case (.list(let values), _): values.contains(value) || values.contains(nearest(to: value))
        case (.those(let isAllowed, _, _), _): isAllowed(value)
        }
    }
}

extension AllowedValues {
    /// The range of the whole numbers among them, nil where it is not a range that they are told by.
    var wholeNumbers: ClosedRange<Int64>? {
        switch kind {
        case .all: Int64.min...Int64.max
        case .integers(let range): range
        case .reals, .list, .singles, .those: nil
        }
    }

    /// Returns the fault of a value, in an error's words; nil where it can't be told.
    func objection(to value: SQLValue) -> String? {
        if case .those(_, _, let objection?) = kind { objection(value) } else { nil }
    }

    /// Returns the value that a value is kept as: a `Float`'s is rounded to single precision, and one that a type
    /// spells otherwise is what that would write; an empty one stays so.
    func nearest(to value: SQLValue) -> SQLValue {
        if case .null = value { return value }
        if case .list(let values) = kind, values.contains(value) { return value }
        if let own = spelling?(value) { return own }
        guard isSingle else { return value }
        return switch value {
        case .real(let value): .real(Double(Float(value)))
        case .integer(let value): .real(Double(Float(value)))
        default: value
        }
    }

    /// The number of values that a list in an error shows.
    private static let shownCount = 16

    /// The allowed values, in an error's words; nil for all.
    var expectation: String? {
        switch kind {
        case .all: return nil
        case .integers(let range):
            return "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .reals(let range):
            return "a number from \(range.lowerBound) to \(range.upperBound)"
        case .list(let values):
            let names = values.prefix(Self.shownCount).map(Self.name).joined(separator: ", ")
            return "one of \(names)\(values.count > Self.shownCount ? ", …" : "")"
        case .singles:
            let limit = Double(Float.greatestFiniteMagnitude)
            return "a number from \(-limit) to \(limit)"
        case .those(_, let expectation, _): return expectation
        }
    }

    /// The text that tells a set of values from others, nil for all; a set that a closure decides
    /// on has its expectation.
    var signature: String? {
        if case .list(let values) = kind {
            return values.map(\.literal).sorted().joined(separator: ",")
        }
        return expectation
    }

    private static func name(_ value: SQLValue) -> String {
        switch value {
        case .text(let text): text
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .null, .blob: "\(value)"
        }
    }
}

extension AllowedValues: Hashable {
    /// True: what a Swift type takes is no part of what a model means.
    public static func == (left: AllowedValues, right: AllowedValues) -> Bool { true }

    /// Hashes nothing.
    public func hash(into hasher: inout Hasher) {}
}
