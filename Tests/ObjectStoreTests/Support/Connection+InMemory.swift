@testable import LarderObjectStore

extension Connection {
    /// A database of its own that is gone with the connection.
    static func inMemory() throws -> Connection {
        try Connection(path: ":memory:", creates: true, readOnly: false, busyTimeout: 0)
    }
}
