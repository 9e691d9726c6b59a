import CLarderSQLite
import Foundation

/// Records what a transaction changes, for those who observe the store.
///
/// SQLite itself reports each row that is inserted, updated or deleted, be it by the action of a
/// foreign key. It says nothing of tables of links (they have no rowids), nothing of rows that a
/// `DELETE` without `WHERE` clears away, and not which columns were updated; that is noted by who
/// writes. An update that nobody notes counts as one of all columns.
///
/// Belongs to the writer's queue. While nobody observes it records nothing.
final class ChangeLog {
    private let plan: StorePlan
    /// Only wanted where something is recorded.
    private lazy var names = TableNames(plan)
    private let connection: Connection
    private(set) var isRecording = false
    private var changes = Changes()
    /// An update that SQLite has reported and nobody has noted yet.
    private var update: (table: Int, row: Int64)?
    /// The table that SQLite reported last, and its number, -1 where it is no table of objects.
    private var lastTable: (name: [CChar], number: Int) = ([0], -1)

    /// The `PRAGMA data_version` that the last commit of another connection has left.
    private var foreignVersion: SQLValue?
    /// The table of links that was noted last, which need not be noted again.
    private var lastLinks = ""

    init(plan: StorePlan, connection: Connection) {
        self.plan = plan
        self.connection = connection
        foreignVersion = try? connection.value("PRAGMA data_version")
    }

    // MARK: Transactions

    /// Begins a transaction's log.
    ///
    /// - Parameter recording: Whether anybody is told of what it changes.
    func begin(recording: Bool) {
        changes = Changes()
        update = nil
        lastLinks = ""
        guard recording != isRecording else { return }
        isRecording = recording
        let log = recording ? Unmanaged.passUnretained(self).toOpaque() : nil
        sqlite3_update_hook(connection.pointer, recording ? changeLogReport : nil, log)
    }

    /// Ends the log of a transaction that is committed, and returns what that has changed.
    func end() -> Changes {
        takeUpdate()
        defer { changes = Changes() }
        return changes
    }

    /// Whether another connection, perhaps of another process, has committed something since this was
    /// last asked; what it has changed can't be told.
    func hasForeignCommits() -> Bool {
        guard let version = try? connection.value("PRAGMA data_version"), version != foreignVersion
        else { return false }
        foreignVersion = version
        return true
    }

    // MARK: Notes of who writes

    /// Notes which columns the statement that just ran may have updated in a row.
    @inline(__always)
    func noteUpdate(of row: Int64, in entity: EntityPlan, columns: ColumnSet) {
        if isRecording { note(row, in: entity, columns) }
    }

    /// Notes that links have been inserted, moved or deleted.
    @inline(__always)
    func noteLinks(_ links: LinkSide) {
        if isRecording, links.name != lastLinks { note(links) }
    }

    /// Notes that any object of an entity may have changed, and any of their links.
    func noteAll(of entity: EntityPlan) {
        guard isRecording else { return }
        let table = names.number(of: entity)
        changes.noteAll(of: table)
        for links in names.linkTables(of: table) { changes.noteLinks(in: links) }
    }

    private func note(_ links: LinkSide) {
        lastLinks = links.name
        if let table = names.number(of: links) { changes.noteLinks(in: table) }
    }

    private func note(_ row: Int64, in entity: EntityPlan, _ columns: ColumnSet) {
        let table = names.number(of: entity)
        // What SQLite did not report has not happened.
        guard let update, update == (table, row) else { return }
        guard case .objects(columns: .some) = names[table] else { return }
        self.update = nil
        changes.noteUpdate(of: row, in: table, columns: columns)
    }

    private func takeUpdate() {
        guard let update else { return }
        changes.noteUpdate(of: update.row, in: update.table, columns: .all)
        self.update = nil
    }

    // MARK: Reports of SQLite

    fileprivate func report(_ operation: Int32, table name: UnsafePointer<CChar>, row: Int64) {
        let table = number(of: name)
        guard table >= 0 else { return }
        takeUpdate()
        if table >= names.firstFetchTimes { return changes.noteLinks(in: table) }
        if operation == SQLITE_UPDATE {
            update = (table, row)
        } else {
            changes.noteOtherRow(row, in: table)
            guard operation == SQLITE_DELETE else { return }
            for links in names.linkTables(of: table) { changes.noteLinks(in: links) }
        }
    }

    private func number(of name: UnsafePointer<CChar>) -> Int {
        if strcmp(lastTable.name, name) == 0 { return lastTable.number }
        let copy = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
        lastTable = (copy, names.number(named: String(cString: name)) ?? -1)
        return lastTable.number
    }
}

private func changeLogReport(
    _ log: UnsafeMutableRawPointer?, _ operation: Int32, _ database: UnsafePointer<CChar>?,
    _ table: UnsafePointer<CChar>?, _ row: Int64
) {
    guard let log, let table else { return }
    Unmanaged<ChangeLog>.fromOpaque(log).takeUnretainedValue()
        .report(operation, table: table, row: row)
}
