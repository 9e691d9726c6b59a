@testable import LarderObjectStore

/// An object as the oracle knows it.
struct OracleObject: Hashable {
    /// The entity that it is of, or that it is known to be one of.
    var entity: String
    /// The attributes that are not empty.
    var values: [String: SQLValue]
    /// The objects that to-one relationships lead to.
    var ones: [String: Int]
    /// Whether nothing but references to it has arrived.
    var isReference: Bool
    /// The step that has fetched it last, where that is kept.
    var fetched: Int?
}

/// The objects that a to-many relationship links.
struct OracleList: Hashable {
    /// Those that an array has put in an order.
    var placed: [Int] = []
    /// Those that only the other side has linked, which come last.
    var loose: Set<Int> = []

    func contains(_ object: Int) -> Bool { placed.contains(object) || loose.contains(object) }

    mutating func remove(_ object: Int) {
        placed.removeAll { $0 == object }
        loose.remove(object)
    }
}
