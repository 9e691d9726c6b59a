import LarderObjectStore
import LarderPromises

/// What makes room for what is kept, and has that make room for objects.
extension KeptResponses {
    /// The most responses that are kept.
    private static var maximumCount: Int { 10_000 }
    /// The number of responses after which they are counted.
    static var countingInterval: Int { 64 }

    /// The most bytes that all take.
    private var maximumSize: Int { min(64 << 20, store.maximumSideSize) }

    /// Whether there is room for a response, which those make that were confirmed longest ago where there is none.
    ///
    /// Asked before it is written: where SQLite finds no room, nothing of the whole transaction stays, savepoints or
    /// not (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction").
    func hasRoom(for size: Int64, of key: KeptResponseKey, in tables: SideTables) throws -> Bool {
        guard size <= maximumSize else { return false }
        if try tables.hasRoom(for: Int(size)) { return true }
        guard try tables.has(Self.table), let salt = try salt(in: tables) else { return false }
        let digest = SQLValue.blob(key.digest(salt: salt))
        let total = "SELECT total(max(size, 0)) FROM \"\(Self.table)\""
        func hasRoom(with rows: [[SQLValue]]) throws -> Bool {
            guard case .real(let others)? = rows.first?.first else { return false }
            // A damaged size may be any.
            return try Double(tables.room()) + others >= Double(size)
        }
        // Nothing goes for one that has no room even without all.
        guard try hasRoom(with: tables.rows(total)) else { return false }
        // The one whose place it takes says whether that is invalid, and goes with it.
        let replaced = try tables.rows(total + " WHERE request = ?", [digest])
        if try hasRoom(with: replaced) { return true }
        let rows = try tables.rows(
            "SELECT id FROM \"\(Self.table)\" WHERE request <> ? ORDER BY confirmed, id",
            [digest])
        for row in rows {
            try tables.run("DELETE FROM \"\(Self.table)\" WHERE id = ?", row)
            if try hasRoom(with: replaced) { return true }
        }
        return false
    }

    /// Removes what was confirmed longest ago where there is too much; counts only once a number has come, or a part of
    /// the limit.
    func trim(after size: Int64, in tables: SideTables) throws {
        let (mostCount, mostSize) = (Self.maximumCount, Double(maximumSize))
        let isDue = state.withLock { state in
            let added = (count: state.added.count + 1, size: state.added.size + Int(size))
            let isDue =
                added.count >= Self.countingInterval || Double(added.size) > mostSize / 8
            state.added = isDue ? (count: 0, size: 0) : added
            return isDue
        }
        guard isDue,
            let row = try tables.rows("SELECT count(*), total(size) FROM \"\(Self.table)\"").first,
            case .integer(var count) = row[0], case .real(var size) = row[1],
            count > mostCount || size > mostSize
        else { return }
        let rows = try tables.rows(
            "SELECT id, size FROM \"\(Self.table)\" ORDER BY confirmed, id")
        for row in rows {
            guard count > mostCount / 8 * 7 || size > mostSize / 8 * 7,
                case .integer(let id) = row[0], case .integer(let own) = row[1]
            else { break }
            try tables.run("DELETE FROM \"\(Self.table)\" WHERE id = ?", [.integer(id)])
            (count, size) = (count - 1, size - Double(own))
        }
    }

    /// Runs a body that is a transaction; where that finds no room, what can be had again goes.
    ///
    /// - Parameter isRepeatable: Whether the body is run once more then.
    func makingRoom<Result>(
        repeating isRepeatable: Bool, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            let cause = (error as? ClientError)?.underlying ?? error
            guard (cause as? StoreError)?.reason == .full, giveWay(), isRepeatable else {
                throw error
            }
            return try body()
        }
    }

    /// Removes from the store's file all that can be had again: what is kept, and what caches have there; false where
    /// that is nothing, or helps nobody.
    private func giveWay() -> Bool {
        // A file without a bound is on a full disk, on which it gets no smaller by that.
        guard store.maximumSideSize < .max else { return false }
        let removed = try? store.writeBeside { tables in
            var (count, files): (Int, [[SQLValue]]) = (0, [])
            if try tables.has(Self.table) {
                count += try tables.run("DELETE FROM \"\(Self.table)\"")
            }
            if try tables.has(ResponseTable.name) {
                files = try tables.rows(
                    "SELECT file FROM \"\(ResponseTable.name)\" WHERE file IS NOT NULL")
                try tables.run("DELETE FROM \"\(ResponseTable.imports)\"")
                count += try tables.run("DELETE FROM \"\(ResponseTable.name)\"")
            }
            return (count: count, files: files)
        }
        guard let removed, removed.count > 0 else { return false }
        if let folder = store.path.map(ContentFiles.init(besideStoreAt:)) {
            for row in removed.files { if case .text(let name) = row[0] { folder.remove(name) } }
        }
        observers.tell()
        return true
    }
}
