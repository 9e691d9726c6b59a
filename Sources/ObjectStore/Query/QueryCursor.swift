/// Where a page of a query's objects ended, to go on from there.
///
/// It can be kept and sent as JSON or by any other encoder. It fits the query that it came from, with
/// the same order; the condition, the limit and the size of pages may change. What is inserted or deleted
/// between two pages neither repeats nor hides other objects, but where they are in the order of their
/// relevance, which depends on all that is searched.
public struct QueryCursor: Hashable, Sendable {
    /// What the sort keys have in the page's last row.
    let values: [SQLValue]
    /// The rowid of the page's last row.
    let row: Int64
    /// Stands for the order that the values belong to.
    let order: Int64
    /// How many objects the pages so far have had.
    let count: Int

    init(values: [SQLValue], row: Int64, sortKeys: [SortKey], count: Int) {
        self.values = values
        self.row = row
        self.count = count
        order = Self.order(of: sortKeys)
    }

    /// The condition of what comes behind the cursor.
    func condition(behind sortKeys: [SortKey]) throws(StoreError) -> QueryExpression {
        guard values.count == sortKeys.count, order == Self.order(of: sortKeys) else {
            throw StoreError(
                .unexpectedValue, "the cursor was made by a query with another order")
        }
        let row = QueryExpression.infix(.row(ColumnPath()), ">", .value(.integer(row)))
        return zip(sortKeys, values).reversed().reduce(row) { behind, next in
            let (key, value) = next
            let same = QueryExpression.infix(key.expression, "IS", .value(value))
            let rest = QueryExpression.joined(same, .and, behind)
            guard let later = key.later(than: value) else { return rest }
            return .joined(later, .or, rest)
        }
    }

    /// A hash that is the same in every run of the program (FNV-1a).
    private static func order(of sortKeys: [SortKey]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for key in sortKeys {
            for byte in String(describing: key).utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
        }
        return Int64(bitPattern: hash)
    }
}

extension SortKey {
    /// The condition of what this key sorts behind a value, nil where there can be nothing.
    fileprivate func later(than value: SQLValue) -> QueryExpression? {
        let isEmpty = QueryExpression.infix(expression, "IS", .value(.null))
        guard value != .null else {
            return putsEmptyFirst ? .infix(expression, "IS NOT", .value(.null)) : nil
        }
        let isLater = QueryExpression.infix(expression, isDescending ? "<" : ">", .value(value))
        return putsEmptyFirst ? isLater : .joined(isLater, .or, isEmpty)
    }
}

extension QueryCursor: Codable {
    /// Reads what `encode(to:)` has written.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        order = try container.decode(Int64.self)
        row = try container.decode(Int64.self)
        count = try container.decode(Int.self)
        guard count >= 0 else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "pages have had a number of objects")
        }
        var values: [SQLValue] = []
        while !container.isAtEnd {
            var pair = try container.nestedUnkeyedContainer()
            let kind = try pair.decode(String.self)
            switch kind {
            case "null": values.append(.null)
            case "integer": values.append(.integer(try pair.decode(Int64.self)))
            // By its bits: JSON has no infinity.
            case "real":
                values.append(
                    .real(Double(bitPattern: UInt64(bitPattern: try pair.decode(Int64.self)))))
            case "text": values.append(.text(try pair.decode(String.self)))
            case "blob": values.append(.blob(try pair.decode([UInt8].self)))
            default:
                throw DecodingError.dataCorruptedError(
                    in: pair, debugDescription: "a cursor has no value of kind \(kind)")
            }
        }
        self.values = values
    }

    /// Writes the cursor as a list.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(order)
        try container.encode(row)
        try container.encode(count)
        for value in values {
            var pair = container.nestedUnkeyedContainer()
            switch value {
            case .null:
                try pair.encode("null")
            case .integer(let integer):
                try pair.encode("integer")
                try pair.encode(integer)
            case .real(let real):
                try pair.encode("real")
                try pair.encode(Int64(bitPattern: real.bitPattern))
            case .text(let text):
                try pair.encode("text")
                try pair.encode(text)
            case .blob(let bytes):
                try pair.encode("blob")
                try pair.encode(bytes)
            }
        }
    }
}
