import Foundation
import LarderObjectStore
import LarderPromises

/// What makes room for what is to be kept.
extension StoredResponses {
    /// Removes what is kept of a variant, and of others what was not used for longest, where there are too many.
    func makePlace(
        for variant: String, of key: ResponseCacheKey, _ tables: SideTables
    ) throws {
        let rows = try tables.rows(
            """
            SELECT id, variant FROM "\(ResponseTable.name)" WHERE resource = ? AND account = ?
            ORDER BY used DESC, id DESC
            """,
            [.blob(key.resource), .blob(key.account)])
        let (same, others) = (
            rows.filter { $0[1] == .text(variant) }, rows.filter { $0[1] != .text(variant) }
        )
        let old = others.dropFirst(ResponseCache.mostVariants - 1)
        try remove(Self.ids(same + old), tables)
    }

    /// The seconds by which clocks may differ.
    private static let mostDrift = 3_600.0

    /// The number of bytes that all take.
    func size() throws -> Int {
        try read { try size($0) } ?? 0
    }

    private func size(_ tables: SideTables) throws -> Int {
        try sum("max(size, 0)", tables)
    }

    private func sum(_ expression: String, _ tables: SideTables) throws -> Int {
        let rows = try tables.rows("SELECT total(\(expression)) FROM \"\(ResponseTable.name)\"")
        guard case .real(let size)? = rows.first?.first else { return 0 }
        // A damaged size may be any.
        return Int(min(size, 1e18))
    }

    /// The number of bytes that a row takes of the store's file, about.
    private static let rowSize =
        "CASE WHEN file IS NULL THEN max(size, 0) ELSE length(head) + 256 END"

    /// The most content that has no file of its own, of which the store's file has several.
    var maximumRowSize: Int { min(limits.maximumRowSize, store.maximumSideSize / 8) }

    /// Whether the store's file has room for more bytes, which what was not used for longest makes where it has none.
    func hasRoom(for count: Int, _ tables: SideTables) throws -> Bool {
        if try tables.hasRoom(for: count) { return true }
        // Nothing goes for one that has no room even without all.
        guard try tables.room() + sum(Self.rowSize, tables) >= count else { return false }
        // What has a file of its own makes little room in the store's.
        let rows = try tables.rows(
            "SELECT id FROM \"\(ResponseTable.name)\" ORDER BY file IS NOT NULL, used, id")
        for id in Self.ids(rows) {
            try remove([id], tables)
            if try tables.hasRoom(for: count) { return true }
        }
        return false
    }

    /// Removes what was not used for longest where there is too much; adds up only once a part of the limit has
    /// come.
    func makeRoom(for count: Int, _ tables: SideTables) throws {
        let (most, mostInFile) = (limits.maximumFileSize, store.maximumSideSize)
        let isDue = state.withLock { state in
            let (added, isTooMuch) = (state.added ?? most).addingReportingOverflow(count)
            let isDue = isTooMuch || added > min(most / 32, mostInFile / 8)
            state.added = isDue ? 0 : added
            return isDue
        }
        guard isDue else { return }
        var size = try size(tables)
        // An index has the sizes alone.
        let isBound = mostInFile < .max
        var sizeInFile = isBound ? try sum(Self.rowSize, tables) : 0
        let (isTooMuch, isTooMuchInFile) = (size > most, sizeInFile > mostInFile)
        guard isTooMuch || isTooMuchInFile else { return }
        // What was used at a time that has not come, by a clock that was ahead, would stay for good.
        try tables.run(
            "UPDATE \"\(ResponseTable.name)\" SET used = 0 WHERE used > ?",
            [.real(now().timeIntervalSinceReferenceDate + Self.mostDrift)])
        let rows = try tables.rows(
            """
            SELECT id, size, \(isBound ? Self.rowSize : "0") FROM "\(ResponseTable.name)"
            ORDER BY \(isTooMuch ? "" : "file IS NOT NULL, ")used, id
            """)
        var ids: [Int64] = []
        for row in rows {
            guard
                isTooMuch && size > most / 8 * 7
                    || isTooMuchInFile && sizeInFile > mostInFile / 8 * 7,
                case .integer(let id) = row[0], case .integer(let count) = row[1],
                case .integer(let countInFile) = row[2]
            else { break }
            ids.append(id)
            size -= Int(max(0, min(count, 1 << 60)))
            sizeInFile -= Int(min(countInFile, 1 << 60))
        }
        try remove(ids, tables)
    }
}
