/// When one thread hands over to another.
enum Schedule: Sendable, CustomStringConvertible {
    /// Of two threads, one begins, and they change over at these places, counted from one, between
    /// two locked sections.
    case switches(first: Int, [Int])
    /// By chance.
    case random(UInt64)

    var description: String {
        switch self {
        case .switches(let first, let places): "thread \(first + 1) first, changes at \(places)"
        case .random(let seed): "by chance, seed \(seed)"
        }
    }
}
