/// Notices that another process, or another store of this one, has brought the file to another
/// model since a store was opened.
///
/// Every migration changes the number that SQLite gives to a file's tables. That number is asked for
/// in each transaction; where it is another one, the model that the file holds is compared. Reading
/// by one statement does not ask: SQLite prepares a statement anew where the number has changed.
struct ModelWatch: Sendable {
    private let json: String
    private let version: Int
    private let path: String?
    /// The number of times that the file's model has become another.
    let generation: Int

    /// - Parameter stored: The model that the file was found to hold when it was opened. What it
    ///   holds a moment later may be another's.
    init(_ stored: StoredModel, path: String?) {
        json = stored.json
        version = stored.version
        generation = stored.generation
        self.path = path
    }

    /// Throws where the file holds another model; also begins to read where a transaction has just
    /// begun.
    func check(_ connection: Connection) throws(StoreError) {
        let version = try connection.schemaVersion
        guard version != connection.checkedSchema else {
            connection.isSchemaInDoubt = false
            return
        }
        let stored = try StoredModel(of: connection, path: path)
        guard stored.json == json, stored.version == self.version else {
            throw StoreError(
                .modelChanged,
                "the store has been brought to another model since it was opened; open it anew",
                path: path)
        }
        connection.checkedSchema = version
        connection.isSchemaInDoubt = false
    }

    /// Throws where the file holds another model; damage is for others to find.
    func checkUnlessDamaged(_ connection: Connection) throws(StoreError) {
        do {
            try check(connection)
        } catch {
            if error.reason != .damaged, error.reason != .notADatabase { throw error }
        }
    }

    /// Runs a body that reads with one statement, and throws where the file holds another model.
    func checking<Result>(
        _ connection: Connection, _ body: () throws -> Result
    ) throws -> Result {
        do {
            let result = try body()
            if connection.isSchemaInDoubt { try check(connection) }
            return result
        } catch let error as StoreError where error.reason != .modelChanged {
            // What is missing may just have another name now.
            do throws(StoreError) {
                try check(connection)
            } catch let other where other.reason == .modelChanged {
                throw other
            } catch {
                // That it can't be told is no news.
            }
            throw error
        }
    }
}
