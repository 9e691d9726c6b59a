import Foundation
import LarderObjectStore

/// The process that is killed: it writes one transaction after the other and says so.
enum Writer {
    static let batchSize = 40

    /// Goes on where the store stands, and writes the number of each transaction once it is
    /// committed.
    static func run(_ path: String) throws {
        var configuration = Store.Configuration.impatient
        configuration.busyTimeout = .seconds(600)
        let store = try Library.open(path, configuration)
        var step = try lastStep(of: store) + 1
        while true {
            try store.write { context in
                if step % 3 == 0 {
                    let batches = KillRun.deleted(at: step)
                    try context.delete(Book.where { $0.batch.isIn(batches) })
                } else {
                    let ids = (step * batchSize)..<((step + 1) * batchSize)
                    let document = try JSONDocument(Library.books(ids, batch: step))
                    try context.import(Many<Book>.self, from: document.root)
                }
            }
            say(String(step))
            step += 1
        }
    }

    /// What a process says when rows are being copied.
    static let copying = "copying"
    /// What a process says when the store has been migrated.
    static let migrated = "migrated"

    /// Opens the store with the later model; says that it begins, each time that rows have been
    /// copied, and once all is done.
    static func migrate(_ path: String) throws {
        say("begins")
        var configuration = Store.Configuration.impatient
        configuration.migration.progress = { _ in say(copying) }
        let store = try Library.openLater(path, configuration)
        say(migrated)
        try store.close()
    }

    /// The last transaction that the store has.
    private static func lastStep(of store: Store) throws -> Int {
        let batches = Set(try store.fetch(Book.all).map(\.batch))
        var step = batches.max() ?? 0
        if KillRun.batches(after: step + 1) == batches { step += 1 }
        return step
    }
}
