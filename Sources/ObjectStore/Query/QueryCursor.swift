/// The end of a page of a query's objects, to go on from there.
///
/// It can be kept and sent as JSON or by any other encoder. It fits the query that it came from, with
/// the same order, the values in it included: what is sorted by the distance from a place, or the time
/// since a moment, goes on with the place or the moment of the first page, and what is sorted by relevance
/// with the text. The condition, the limit and the size of pages may change. What is inserted or deleted
/// between two pages neither repeats nor hides other objects, but where they are in the order of their
/// relevance, which depends on all that is searched.
public struct QueryCursor: Hashable, Sendable {
    /// The values of the sort keys in the page's last row.
    let values: [SQLValue]
    /// The rowid of the page's last row.
    let row: Int64
    /// A hash of the order that the values belong to.
    let order: Int64
    /// The number of objects in the pages so far.
    let count: Int

    init(values: [SQLValue], row: Int64, in query: QueryDescription, count: Int) {
        self.values = values
        self.row = row
        self.count = count
        order = Self.order(of: query)
    }

    /// The condition of what comes behind the cursor.
    func condition(in query: QueryDescription) throws(StoreError) -> QueryExpression {
        guard values.count == query.sortKeys.count, order == Self.order(of: query) else {
            throw StoreError(
                .unexpectedValue, "the cursor was made by a query with another order")
        }
        let row = QueryExpression.infix(.row(ColumnPath()), ">", .value(.integer(row)))
        let keys = zip(query.sortKeys, values).map { key, value in
            (same: .infix(key.expression, "IS", .value(value)), later: key.later(than: value))
                as Part
        }
        return Self.later((keys + [(same: row, later: row)])[...]) ?? row
    }

    /// The conditions that a part of the order has the cursor's value, or a later one; nil where there can
    /// be none.
    private typealias Part = (same: QueryExpression, later: QueryExpression?)

    /// The condition of what some parts of the order sort behind the cursor, made by halves: SQLite limits
    /// how deeply expressions nest.
    private static func later(_ parts: ArraySlice<Part>) -> QueryExpression? {
        guard parts.count > 1, let first = parts.first else { return parts.first?.later }
        let middle = parts.startIndex + parts.count / 2
        let same = parts[..<middle].dropFirst().reduce(first.same) { .joined($0, .and, $1.same) }
        let front = later(parts[..<middle])
        let back = later(parts[middle...]).map { QueryExpression.joined(same, .and, $0) }
        guard let front, let back else { return front ?? back }
        return .joined(front, .or, back)
    }

    private static func order(of query: QueryDescription) -> Int64 {
        var hash = StableHash()
        for key in query.sortKeys {
            hash.combine(.text(key.description))
            for value in key.expression.values(searching: query.search) { hash.combine(value) }
        }
        return Int64(bitPattern: hash.value)
    }
}

/// A hash that is the same in every run of the program (FNV-1a).
private struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a value, its kind and its length, so that none looks like the beginning of another.
    mutating func combine(_ value: SQLValue) {
        switch value {
        case .null: combine([0], kind: 0)
        case .integer(let number): combine(bits: UInt64(bitPattern: number), kind: 1)
        case .real(let number): combine(bits: number.bitPattern, kind: 2)
        case .text(let text): combine(text.utf8, kind: 3)
        case .blob(let bytes): combine(bytes, kind: 4)
        }
    }

    private mutating func combine(bits: UInt64, kind: UInt8) {
        combine((0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }, kind: kind)
    }

    private mutating func combine(_ bytes: some Collection<UInt8>, kind: UInt8) {
        add(kind)
        for shift in 0..<8 { add(UInt8(truncatingIfNeeded: bytes.count >> (shift * 8))) }
        for byte in bytes { add(byte) }
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
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
