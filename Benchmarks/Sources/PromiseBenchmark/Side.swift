/// One library's way to do a piece of work.
struct Side: Sendable {
    let name: String
    /// Runs the work `count` times and returns a checksum that every side must agree on.
    let run: @Sendable (_ count: Int) async throws -> Int
}

/// The same work, done by several libraries.
struct Contest: Sendable {
    let title: String
    /// How many operators one unit of the work has.
    let links: Int
    let sides: [Side]
    /// What PromiseKit took where NIO took the other, on one machine, in nanoseconds.
    ///
    /// PromiseKit is not among the packages to build with, so it is compared by way of NIO.
    let promiseKit: (took: Double, whereNIOTook: Double)
}
