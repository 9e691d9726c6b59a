/// The statements that note when the objects of one table were fetched.
///
/// A moment is never put back: what a cache has had for a while says less than what the server has said since.
final class FetchTimes {
    private let plan: EntityPlan
    private let connection: Connection
    private var preparedNote: Statement?
    private var preparedConfirmation: Statement?

    /// - Parameter plan: An entity of the table.
    init(plan: EntityPlan, connection: Connection) {
        self.plan = plan
        self.connection = connection
    }

    /// Notes that the object of a row was fetched at a moment, counted as `Date` counts.
    func note(_ row: Int64, at time: Double) throws(StoreError) {
        let statement: Statement
        if let preparedNote {
            statement = preparedNote
        } else {
            statement = try Statement(
                "INSERT INTO \(plan.fetchTable) AS f (row, at) VALUES (?1, ?2)\(latest)",
                on: connection)
            preparedNote = statement
        }
        try run(statement, row, time)
    }

    /// Notes the same of a row in which there may be no object any more.
    func confirm(_ row: Int64, at time: Double) throws(StoreError) {
        let statement: Statement
        if let preparedConfirmation {
            statement = preparedConfirmation
        } else {
            statement = try Statement(
                "INSERT INTO \(plan.fetchTable) AS f (row, at) SELECT t.\(plan.rowid), ?2"
                    + " FROM \(plan.table) AS t WHERE t.\(plan.rowid) = ?1"
                    + " AND \(plan.isRow(.object, "t"))\(latest)",
                on: connection)
            preparedConfirmation = statement
        }
        try run(statement, row, time)
    }

    private var latest: String {
        " ON CONFLICT (row) DO UPDATE SET at = excluded.at WHERE excluded.at > f.at"
    }

    private func run(
        _ statement: Statement, _ row: Int64, _ time: Double
    ) throws(StoreError) {
        statement.bind(row, at: 1)
        statement.bind(time, at: 2)
        try connection.writingBeside { () throws(StoreError) in try statement.run() }
    }
}
