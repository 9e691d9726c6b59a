/// A set of an entity's columns, by their indices.
struct ColumnSet: Hashable, Sendable {
    private var bits: UInt128 = 0

    /// The largest number of columns of an entity, with the one that tells references.
    static let maximumCount = EntityDescription.maximumColumnCount + 1

    /// No columns.
    init() {}

    /// All columns that an entity may have.
    static var all: ColumnSet {
        var all = ColumnSet()
        all.bits = .max
        return all
    }

    mutating func formUnion(_ other: ColumnSet) { bits |= other.bits }

    /// The columns that one of the sets has.
    func union(_ other: ColumnSet) -> ColumnSet {
        var result = self
        result.bits |= other.bits
        return result
    }

    @inline(__always)
    mutating func insert(_ column: Int) { bits |= 1 &<< UInt128(truncatingIfNeeded: column) }

    @inline(__always)
    func contains(_ column: Int) -> Bool {
        (bits &>> UInt128(truncatingIfNeeded: column)) & 1 != 0
    }

    @inline(__always)
    func isSuperset(of other: ColumnSet) -> Bool { other.bits & ~bits == 0 }

    @inline(__always)
    var isEmpty: Bool { bits == 0 }

    /// The columns of this set that the other does not have.
    func subtracting(_ other: ColumnSet) -> ColumnSet {
        var result = self
        result.bits &= ~other.bits
        return result
    }

    /// The columns that both sets have.
    func intersection(_ other: ColumnSet) -> ColumnSet {
        var result = self
        result.bits &= other.bits
        return result
    }

    /// The columns' indices, in order.
    var columns: [Int] { Array(self) }

    /// The number of columns.
    var count: Int { bits.nonzeroBitCount }

    /// The lowest column.
    var first: Int? { isEmpty ? nil : bits.trailingZeroBitCount }
}

extension ColumnSet: Sequence {
    /// The columns' indices that are left, in order.
    struct Iterator: IteratorProtocol {
        fileprivate var bits: UInt128

        @inline(__always)
        mutating func next() -> Int? {
            guard bits != 0 else { return nil }
            defer { bits &= bits &- 1 }
            return bits.trailingZeroBitCount
        }
    }

    @inline(__always)
    func makeIterator() -> Iterator { Iterator(bits: bits) }
}

extension ColumnSet: ExpressibleByArrayLiteral {
    init(arrayLiteral columns: Int...) {
        self.init()
        for column in columns { insert(column) }
    }
}

/// A bit mask that tells a statement for all columns of an entity which of them an object names, as
/// numbers whose bits stand for columns.
struct ColumnMask {
    /// The number of columns that one of the numbers tells of.
    private static let width = 62

    /// The number of columns.
    let columnCount: Int

    /// The count of the mask's numbers.
    private var count: Int { (columnCount + Self.width - 1) / Self.width }

    /// The parameter behind those of the columns and of the numbers.
    var nextParameter: Int { columnCount + count + 1 }

    /// The expression that is true where a column is named.
    func isNamed(_ column: Int) -> String {
        "?\(columnCount + column / Self.width + 1) & \(1 << (column % Self.width))"
    }

    /// Tells a statement which columns are named.
    func bind(_ columns: ColumnSet, to statement: Statement) {
        for number in 0..<count {
            var bits: Int64 = 0
            for column in number * Self.width..<min((number + 1) * Self.width, columnCount)
            where columns.contains(column) {
                bits |= 1 << Int64(column % Self.width)
            }
            statement.bind(bits, at: Int32(columnCount + number + 1))
        }
    }
}

/// A cache of what has been prepared for sets of columns, for those that come again.
///
/// An object may lack any of its optional keys, so that there can be more sets than there is room
/// for something prepared. When there is none left, a set must have come twice within a few others
/// to get the place of the one that was not used for longest.
struct ColumnSetCache<Value> {
    private struct Entry {
        let value: Value
        var lastUse: Int
    }

    private var entries: [ColumnSet: Entry] = [:]
    private var useCount = 0
    /// The sets without a place that came last, the oldest to be written over next.
    private var waiting: [ColumnSet] = []
    private var oldest = 0

    /// The number of sets that have a place.
    static var limit: Int { 32 }
    /// The number of sets without a place that are remembered.
    private static var memory: Int { 8 }

    /// All that is kept.
    var values: [Value] { entries.values.map(\.value) }

    /// The value that is kept or made for a set; nil where the set gets no place.
    mutating func value(
        for columns: ColumnSet, make: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        useCount &+= 1
        if let index = entries.index(forKey: columns) {
            entries.values[index].lastUse = useCount
            return entries.values[index].value
        }
        if entries.count >= Self.limit {
            guard waiting.contains(columns) else {
                wait(columns)
                return nil
            }
            if let old = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
                entries[old] = nil
            }
        }
        let value = try make()
        entries[columns] = Entry(value: value, lastUse: useCount)
        return value
    }

    private mutating func wait(_ columns: ColumnSet) {
        if waiting.count < Self.memory {
            waiting.append(columns)
        } else {
            waiting[oldest] = columns
            oldest = (oldest + 1) % Self.memory
        }
    }
}
