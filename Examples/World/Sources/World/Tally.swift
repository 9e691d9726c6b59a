import Larder

/// What one step of the pull did to the store, and how long it took.
struct Tally {
    static let header =
        "Step".left(10) + "requests".right(10) + "inserted".right(10) + "updated".right(10)
        + "unchanged".right(11) + "time".right(11)

    private let name: String
    private let start = ContinuousClock.now
    private var requests = 0
    private var report = ImportReport()

    init(_ name: String) {
        self.name = name
    }

    func count<Object: Entity>(of entity: Object.Type) -> Int {
        report[Object.entityName].objects
    }

    func adding(_ more: ImportReport) -> Tally {
        var tally = self
        tally.requests += 1
        tally.report += more
        return tally
    }

    var line: String {
        let total = report.total
        return name.left(10) + requests.grouped.right(10) + total.inserted.grouped.right(10)
            + total.updated.grouped.right(10) + total.unchanged.grouped.right(11)
            + (ContinuousClock.now - start).inMilliseconds.right(11)
    }
}
