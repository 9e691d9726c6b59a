/// A store as it is at one moment: what is read from it belongs together.
///
/// A snapshot is only valid in the closure that it is handed to, and belongs to its thread. All
/// reading goes through one: `Store.read` hands one out, and `Context` is one that can write too.
public class Snapshot {
    /// The store that is read.
    public final let store: Store

    final let connection: Connection
    private final var isOpen = true

    init(store: Store, connection: Connection) {
        self.store = store
        self.connection = connection
    }

    /// Reads objects as the snapshot has them.
    final var reader: Reader {
        get throws {
            try checkOpen()
            return Reader(connection: connection, store: store)
        }
    }

    /// Throws where the snapshot is not to be used any more.
    func checkOpen() throws {
        guard isOpen else { throw StoreError(.closed, Self.useAfterEnd) }
        try connection.interruption?.check()
    }

    /// Ends the snapshot; later calls throw.
    func close() { isOpen = false }

    /// The message to whoever has kept it beyond its end.
    class var useAfterEnd: String { "the snapshot is used after the reading it was made for" }
}
