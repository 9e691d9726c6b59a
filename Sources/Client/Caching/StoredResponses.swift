import Foundation
import LarderObjectStore
import LarderPromises

/// Responses that are kept in a store's file, in a table of their own, and large content in files beside it.
///
/// Rows are read with their sums: what is damaged is nothing that was kept, and is removed.
final class StoredResponses: ResponseCacheProvider {
    private struct State {
        /// Whether the table is known to be there.
        var isMade = false
        /// The uses since they were last written down.
        var uses: [Int64: Date] = [:]
        /// What is damaged, and is to be removed.
        var damaged: Set<Int64> = []
        /// The number of bytes that have come since what is kept was added up; nil before that was done.
        var added: Int?
    }

    private let store: Store
    private let files: ContentFiles
    private let limits: ResponseCache.Limits
    private let now: @Sendable () -> Date
    private let state = Guarded(State())

    init(
        in store: Store, at path: String, limits: ResponseCache.Limits,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        files = ContentFiles(folder: path + "-responses")
        (self.limits, self.now) = (limits, now)
    }

    // MARK: The table

    private static let table = SideTables.prefix + "responses"
    private static let settings = SideTables.prefix + "responses.settings"

    /// What is asked for often stands before what is large.
    private static let creation = [
        """
        CREATE TABLE IF NOT EXISTS "\(settings)" (name TEXT PRIMARY KEY, value BLOB) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS "\(table)" (
          id INTEGER PRIMARY KEY, resource BLOB NOT NULL, account BLOB NOT NULL,
          variant TEXT NOT NULL, origin TEXT NOT NULL, size INTEGER NOT NULL, used REAL NOT NULL, useless REAL,
          requested REAL NOT NULL, received REAL NOT NULL, sum INTEGER NOT NULL, file TEXT,
          count INTEGER NOT NULL, head BLOB NOT NULL, body BLOB) STRICT
        """,
        """
        CREATE INDEX IF NOT EXISTS "\(table).resource" ON "\(table)" (resource)
        """,
        """
        CREATE INDEX IF NOT EXISTS "\(table).used" ON "\(table)" (used, size)
        """,
    ]

    /// Runs a body that writes, once the table is there.
    private func write<Result>(_ body: (SideTables) throws -> Result) throws -> Result {
        let (isMade, uses, damaged) = state.withLock { state in
            defer { (state.uses, state.damaged) = ([:], []) }
            return (state.isMade, state.uses, state.damaged)
        }
        let result = try store.writeBeside { tables in
            if !isMade { for sql in Self.creation { try tables.run(sql) } }
            for (id, time) in uses {
                try tables.run(
                    "UPDATE \"\(Self.table)\" SET used = max(used, ?) WHERE id = ?",
                    [.real(time.timeIntervalSinceReferenceDate), .integer(id)])
            }
            if !damaged.isEmpty { try remove(damaged.sorted(), tables) }
            return try body(tables)
        }
        state.withLock { $0.isMade = true }
        return result
    }

    /// Runs a body that reads; nil where there is no table yet.
    private func read<Result>(_ body: (SideTables) throws -> Result) throws -> Result? {
        let isMade = state.withLock(\.isMade)
        return try store.readBeside { tables in
            guard try isMade || tables.has(Self.table) else { return nil }
            return try body(tables)
        }
    }

    /// The salt of the digests in this file, made with the table; nil where there is none and none is to be made.
    func salt(orMake isMade: Bool = true) throws -> [UInt8]? {
        let query = "SELECT value FROM \"\(Self.settings)\" WHERE name = 'salt'"
        if case .blob(let salt)?? = try read({ try $0.rows(query).first?.first }), salt.count >= 16
        {
            return salt
        }
        guard isMade else { return nil }
        return try write { tables in
            // Another process may have made one.
            if case .blob(let salt)? = try tables.rows(query).first?.first, salt.count >= 16 {
                return salt
            }
            let salt = KeyMaker.makeSalt()
            try tables.run(
                "INSERT OR REPLACE INTO \"\(Self.settings)\" VALUES ('salt', ?)", [.blob(salt)])
            return salt
        }
    }

    // MARK: Reading

    func responses(for key: ResponseCacheKey) throws -> [CachedResponse] {
        let rows =
            try read { tables in
                try tables.rows(
                    """
                    SELECT id, requested, received, useless, sum, file, count, head, body
                    FROM "\(Self.table)" WHERE resource = ? AND account = ?
                    """,
                    [.blob(key.resource), .blob(key.account)])
            } ?? []
        let time = now()
        return rows.compactMap { row in
            guard case .integer(let id) = row[0] else { return nil }
            guard let response = response(row) else {
                _ = state.withLock { $0.damaged.insert(id) }
                return nil
            }
            state.withLock { $0.uses[id] = time }
            return response
        }
    }

    /// Whether something has been found that is to be removed.
    var isDamaged: Bool { state.withLock { !$0.damaged.isEmpty } }

    /// Removes what was found to be damaged.
    func removeDamaged() throws { try write { _ in } }

    private func response(_ row: [SQLValue]) -> CachedResponse? {
        guard case .integer(let id) = row[0], case .real(let requested) = row[1],
            case .real(let received) = row[2], case .integer(let sum) = row[4],
            case .integer(let count) = row[6], case .blob(let head) = row[7]
        else { return nil }
        var useless: Double?
        if case .real(let time) = row[3] { useless = time }
        let content: TransportResponse.Content?
        switch (row[5], row[8]) {
        case (.text(let name), _): content = files.content(named: name, count: Int(count))
        case (_, .blob(let bytes)): content = .memory(Data(bytes))
        default: content = .memory(Data())
        }
        guard let content, content.data.count == count,
            ResponseRow.sum(of: head, content.data) == sum
        else { return nil }
        var response = ResponseRow.response(
            head: head, content: content, requested: requested, received: received,
            uselessAfter: useless)
        response?.id = id
        return response
    }

    // MARK: Changes

    func keep(
        _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [CachedResponse.ID]
    ) throws {
        guard response.size <= min(limits.maximumResponseSize, limits.maximumFileSize) else {
            return try remove(ids, of: key)
        }
        let row = ResponseRow(response)
        let body = response.body
        let name = body.count > limits.maximumRowSize ? try files.write(body) : nil
        do {
            try write { tables in
                try remove(ids, tables)
                let same = try tables.rows(
                    """
                    SELECT id FROM "\(Self.table)" WHERE resource = ? AND account = ? AND variant = ?
                    """,
                    [.blob(key.resource), .blob(key.account), .text(row.variant)])
                try remove(Self.ids(same), tables)
                try tables.run(
                    """
                    INSERT INTO "\(Self.table)" (resource, account, variant, origin, size, used, useless,
                      requested, received, sum, file, count, head, body)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .blob(key.resource), .blob(key.account), .text(row.variant),
                        .text(key.origin),
                        .integer(Int64(response.size)),
                        .real(now().timeIntervalSinceReferenceDate),
                        response.uselessAfter.map {
                            .real($0.timeIntervalSinceReferenceDate)
                        } ?? .null,
                        .real(response.requested.timeIntervalSinceReferenceDate),
                        .real(response.received.timeIntervalSinceReferenceDate),
                        .integer(ResponseRow.sum(of: row.head, body)),
                        name.map(SQLValue.text) ?? .null, .integer(Int64(body.count)),
                        .blob(row.head), name == nil ? .blob(Array(body)) : .null,
                    ])
                try makeRoom(for: response.size, tables)
            }
        } catch {
            if let name { files.remove(name) }
            throw error
        }
    }

    func remove(_ ids: [CachedResponse.ID], of key: ResponseCacheKey) throws {
        guard !ids.isEmpty else { return }
        try write { try remove(ids, $0) }
    }

    func removeAll(of resource: [UInt8]) throws {
        // A look, which needs no turn of its own, spares most of them that.
        let query = "SELECT 1 FROM \"\(Self.table)\" WHERE resource = ? LIMIT 1"
        guard try read({ try !$0.rows(query, [.blob(resource)]).isEmpty }) == true else { return }
        try remove(where: "resource = ?", [.blob(resource)])
    }

    func removeAll(from origin: String?) throws {
        guard let origin else { return try remove(where: "TRUE", []) }
        try remove(where: "origin = ?", [.text(origin)])
    }

    func removeExpired(at now: Date) throws {
        try remove(where: "useless < ?", [.real(now.timeIntervalSinceReferenceDate)])
        files.removeStrangers(at: now) { names in
            let known =
                try read { tables in
                    try tables.rows("SELECT file FROM \"\(Self.table)\" WHERE file IS NOT NULL")
                } ?? []
            return names.subtracting(
                known.compactMap { row in if case .text(let name) = row[0] { name } else { nil } })
        }
    }

    private func remove(where condition: String, _ values: [SQLValue]) throws {
        guard try read({ _ in true }) == true else { return }
        try write { tables in
            let rows = try tables.rows(
                "SELECT id FROM \"\(Self.table)\" WHERE \(condition)", values)
            try remove(Self.ids(rows), tables)
        }
    }

    private static func ids(_ rows: [[SQLValue]]) -> [Int64] {
        rows.compactMap { row in if case .integer(let id) = row[0] { id } else { nil } }
    }

    private func remove(_ ids: [Int64], _ tables: SideTables) throws {
        for id in ids {
            let rows = try tables.rows(
                "DELETE FROM \"\(Self.table)\" WHERE id = ? RETURNING file", [.integer(id)])
            // Where the transaction fails, the row is left without its content, and goes once it is read.
            if case .text(let name)? = rows.first?.first { files.remove(name) }
        }
    }

    // MARK: Room

    /// The number of bytes that all take.
    func size() throws -> Int {
        try read { try size($0) } ?? 0
    }

    private func size(_ tables: SideTables) throws -> Int {
        let rows = try tables.rows("SELECT total(size) FROM \"\(Self.table)\"")
        if case .real(let size)? = rows.first?.first { return Int(size) }
        return 0
    }

    /// Removes what was not used for longest where there is too much; adds up only once a part of the limit has
    /// come.
    private func makeRoom(for count: Int, _ tables: SideTables) throws {
        let isDue = state.withLock { state in
            let added = (state.added ?? limits.maximumFileSize) + count
            let isDue = added > limits.maximumFileSize / 32
            state.added = isDue ? 0 : added
            return isDue
        }
        guard isDue else { return }
        var size = try size(tables)
        guard size > limits.maximumFileSize else { return }
        let rows = try tables.rows(
            "SELECT id, size FROM \"\(Self.table)\" ORDER BY used, id")
        var ids: [Int64] = []
        for row in rows {
            guard size > limits.maximumFileSize / 8 * 7, case .integer(let id) = row[0],
                case .integer(let count) = row[1]
            else { break }
            ids.append(id)
            size -= Int(count)
        }
        try remove(ids, tables)
    }
}
