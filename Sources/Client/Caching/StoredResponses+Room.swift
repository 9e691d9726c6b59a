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
        let rows = try tables.rows("SELECT total(max(size, 0)) FROM \"\(ResponseTable.name)\"")
        guard case .real(let size)? = rows.first?.first else { return 0 }
        // A damaged size may be any.
        return Int(min(size, 1e18))
    }

    /// Removes what was not used for longest where there is too much; adds up only once a part of the limit has
    /// come.
    func makeRoom(for count: Int, _ tables: SideTables) throws {
        let isDue = state.withLock { state in
            let (added, isTooMuch) = (state.added ?? limits.maximumFileSize)
                .addingReportingOverflow(count)
            let isDue = isTooMuch || added > limits.maximumFileSize / 32
            state.added = isDue ? 0 : added
            return isDue
        }
        guard isDue else { return }
        var size = try size(tables)
        guard size > limits.maximumFileSize else { return }
        // What was used at a time that has not come, by a clock that was ahead, would stay for good.
        try tables.run(
            "UPDATE \"\(ResponseTable.name)\" SET used = 0 WHERE used > ?",
            [.real(now().timeIntervalSinceReferenceDate + Self.mostDrift)])
        let rows = try tables.rows(
            "SELECT id, size FROM \"\(ResponseTable.name)\" ORDER BY used, id")
        var ids: [Int64] = []
        for row in rows {
            guard size > limits.maximumFileSize / 8 * 7, case .integer(let id) = row[0],
                case .integer(let count) = row[1]
            else { break }
            ids.append(id)
            size -= Int(max(0, min(count, 1 << 60)))
        }
        try remove(ids, tables)
    }
}
