import Foundation

/// One way to get a file of issues into a database, twice: into an empty one, then again.
protocol Side {
    var name: String { get }

    /// Returns the seconds from bytes in memory to stored rows, of the first round and of the second.
    func run(file: URL, folder: URL) throws -> Times
}

/// Seconds of one run.
struct Times {
    var first: Double
    var again: Double
    /// Seconds to read all issues into structs, where the side can.
    var fetch: Double?
}

/// Measures a body in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(body)
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}
