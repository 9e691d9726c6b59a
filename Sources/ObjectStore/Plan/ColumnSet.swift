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
    var columns: [Int] { (0..<Self.maximumCount).filter(contains) }

    /// The number of columns.
    var count: Int { bits.nonzeroBitCount }

    /// The lowest column.
    var first: Int? { isEmpty ? nil : bits.trailingZeroBitCount }
}

extension ColumnSet: ExpressibleByArrayLiteral {
    init(arrayLiteral columns: Int...) {
        self.init()
        for column in columns { insert(column) }
    }
}
