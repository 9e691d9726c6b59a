/// One way to open an existing database and ask it for one issue.
protocol Side {
    var name: String { get }

    /// Opens the file, reads the issue with this id and closes it; returns the seconds up to the
    /// issue.
    func open(_ path: String, id: Int) throws -> Double
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
