/// A version of a store's objects as one connection sees them: as long as it is the same, none has been written.
///
/// Another one says nothing, as what was written may have been rolled back, or be what had been there.
package struct ObjectsVersion: Sendable, Hashable {
    /// The connection's number, which no other one gets.
    private let connection: Int
    /// What SQLite counts of commits by other connections.
    private let others: Int64
    /// The number of rows that this connection has written.
    private let own: Int64

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection.number
        others = try connection.dataVersion
        own = connection.totalChangeCount - connection.besideChangeCount
    }
}

extension Context {
    /// The version of the objects as the transaction sees them.
    package var objectsVersion: ObjectsVersion {
        get throws {
            try checkOpen()
            return try ObjectsVersion(connection)
        }
    }
}
