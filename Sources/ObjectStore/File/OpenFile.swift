/// The file that a store has open, and no other that comes to stand at its path.
struct OpenFile: Sendable {
    private let file: StoreFile
    private let path: String
    /// The file's inode number; nil where it was not at its path any more.
    private let number: UInt64?

    /// Names the file of a connection that was opened by its path.
    init(_ path: String, of connection: Connection, configuration: Store.Configuration) {
        self.path = path
        file = StoreFile(path: path, configuration: configuration)
        let number = StoreRebuild.number(of: path)
        self.number = connection.isMoved ? nil : number
    }

    /// The time that connections wait for a lock, in milliseconds.
    var busyMilliseconds: Int32 { file.configuration.busyMilliseconds }

    /// Opens one more connection, which reads.
    ///
    /// - Throws: `StoreError`, with the code `moved` where another file is at the path.
    func connect() throws(StoreError) -> Connection {
        let connection = try file.connect(readOnly: true)
        guard let number, number == StoreRebuild.number(of: path), !connection.isMoved else {
            throw StoreError.movedStore
        }
        return connection
    }
}
