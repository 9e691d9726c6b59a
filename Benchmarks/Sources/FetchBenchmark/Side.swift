/// One way to read issues from a database.
protocol Side {
    var name: String { get }

    /// Returns the seconds that reading all issues into structs takes.
    func fetchAll() throws -> Double

    /// Returns the seconds that so many lookups of one issue by its id take.
    func find(_ count: Int) throws -> Double
}

/// The ids that are looked up: `first` and those behind it.
enum IDs {
    static let first = 10_000_000
    static let count = 1_000
}

/// A side did not read what it should have.
struct WrongResult: Error {
    let side: String
}

/// Measures a body in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(body)
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}
