import Larder

/// What one step of the pull did to the store, and how long it took.
struct Tally {
    static let header =
        "Step".left(10) + "requests".right(10) + "inserted".right(10) + "updated".right(10)
        + "unchanged".right(11) + "confirmed".right(11) + "time".right(11)

    private let name: String
    private let start = ContinuousClock.now
    private(set) var requests = 0
    /// The requests that the server has answered by 304: what the store has is still good.
    private var confirmed = 0
    private var report = ImportReport()

    init(_ name: String) {
        self.name = name
    }

    func adding<Value>(_ response: Response<Value>) -> Tally {
        var tally = self
        tally.requests += 1
        if response.source == .revalidated { tally.confirmed += 1 }
        tally.report += response.report
        return tally
    }

    var line: String {
        let total = report.total
        return name.left(10) + requests.grouped.right(10) + total.inserted.grouped.right(10)
            + total.updated.grouped.right(10) + total.unchanged.grouped.right(11)
            + confirmed.grouped.right(11)
            + (ContinuousClock.now - start).inMilliseconds.right(11)
    }
}
