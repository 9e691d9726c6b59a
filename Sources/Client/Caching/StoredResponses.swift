import Foundation
import LarderObjectStore
import LarderPromises

/// Responses that are kept in a store's file, in a table of their own, and large content in files beside it.
///
/// Rows are read with their sums: what is damaged is nothing that was kept, and is removed.
final class StoredResponses: ImportNoting {
    struct State {
        /// Whether the table is known to be there.
        var isMade = false
        /// The uses since they were last written down.
        var uses: [Int64: Date] = [:]
        /// What is damaged, and is to be removed: its number, which another may have meanwhile, its time and its sum.
        var damaged: [[SQLValue]] = []
        /// The number of bytes that have come since what is kept was added up; nil before that was done.
        var added: Int?
    }

    let store: Store
    private let files: ContentFiles
    let limits: ResponseCache.Limits
    let now: @Sendable () -> Date
    let state = Guarded(State())

    init(
        in store: Store, at path: String, limits: ResponseCache.Limits,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        files = ContentFiles(besideStoreAt: path)
        (self.limits, self.now) = (limits, now)
    }

    // MARK: The table

    /// Runs a body that writes, once the table is there.
    @discardableResult
    private func write<Result>(_ body: (SideTables) throws -> Result) throws -> Result {
        let (isMade, uses, damaged) = state.withLock { state in
            defer { (state.uses, state.damaged) = ([:], []) }
            return (state.isMade, state.uses, state.damaged)
        }
        let result = try store.writeBeside { tables in
            if !isMade { for sql in ResponseTable.creation { try tables.run(sql) } }
            for (id, time) in uses {
                try tables.run(
                    "UPDATE \"\(ResponseTable.name)\" SET used = max(used, ?) WHERE id = ?",
                    [.real(time.timeIntervalSinceReferenceDate), .integer(id)])
            }
            for row in damaged {
                try remove(
                    Self.ids(
                        tables.rows(
                            """
                            SELECT id FROM "\(ResponseTable.name)" WHERE id = ? AND received IS ? AND sum IS ?
                            """, row)), tables)
            }
            return try body(tables)
        }
        state.withLock { $0.isMade = true }
        return result
    }

    /// Runs a body that reads; nil where there is no table yet.
    func read<Result>(_ body: (SideTables) throws -> Result) throws -> Result? {
        let isMade = state.withLock(\.isMade)
        return try store.readBeside { tables in
            guard try isMade || tables.has(ResponseTable.name) else { return nil }
            return try body(tables)
        }
    }

    /// The salt of the digests in this file, made with the table; nil where there is none and none is to be made.
    func salt(orMake isMade: Bool = true) throws -> [UInt8]? {
        let query = "SELECT value FROM \"\(ResponseTable.settings)\" WHERE name = 'salt'"
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
                "INSERT OR REPLACE INTO \"\(ResponseTable.settings)\" VALUES ('salt', ?)",
                [.blob(salt)])
            return salt
        }
    }

    // MARK: Reading

    func responses(for key: ResponseCacheKey) throws -> [CachedResponse] {
        let rows =
            try read { tables in
                try tables.rows(
                    """
                    SELECT id, requested, received, useless, sum, file, count, head, body,
                      (SELECT group_concat(import) FROM "\(ResponseTable.imports)" WHERE response = id)
                    FROM "\(ResponseTable.name)" WHERE resource = ? AND account = ?
                    """,
                    [.blob(key.resource), .blob(key.account)])
            } ?? []
        let time = now()
        return rows.compactMap { row in
            guard case .integer(let id) = row[0] else { return nil }
            guard let response = response(row) else {
                state.withLock { $0.damaged.append([row[0], row[2], row[4]]) }
                return nil
            }
            state.withLock { $0.uses[id] = time }
            return response
        }
    }

    func note(
        _ import: Int64, of version: CachedResponse.Version, for key: ResponseCacheKey
    ) throws {
        try write { tables in
            let variant = ResponseRow.text(of: version.variant)
            try note(`import`, received: version.received, variant, key, tables)
        }
    }

    private func note(
        _ way: Int64, received: Date, _ variant: String, _ key: ResponseCacheKey,
        _ tables: SideTables
    ) throws {
        try tables.run(
            """
            INSERT OR IGNORE INTO "\(ResponseTable.imports)" SELECT id, ? FROM "\(ResponseTable.name)"
            WHERE resource = ? AND account = ? AND received = ? AND variant = ?
            """,
            [
                .integer(way), .blob(key.resource), .blob(key.account),
                .real(received.timeIntervalSinceReferenceDate), .text(variant),
            ])
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
        if case .text(let imports) = row[9] {
            response?.imports = Set(imports.split(separator: ",").compactMap { Int64($0) })
        }
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
        let name = body.count > maximumRowSize ? try files.write(body) : nil
        var isKept = false
        defer { if !isKept, let name { files.remove(name) } }
        isKept = try write { tables in
            try remove(ids, of: key, tables)
            try makePlace(for: row.variant, of: key, tables)
            guard try hasRoom(for: response.size - (name == nil ? 0 : body.count), tables) else {
                return false
            }
            try tables.run(
                """
                INSERT INTO "\(ResponseTable.name)" (resource, account, variant, origin, size, used, useless,
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
            for way in response.imports {
                try note(way, received: response.received, row.variant, key, tables)
            }
            try makeRoom(for: response.size, tables)
            return true
        }
    }

    func remove(_ ids: [CachedResponse.ID], of key: ResponseCacheKey) throws {
        guard !ids.isEmpty else { return }
        try write { try remove(ids, of: key, $0) }
    }

    func removeAll(of resource: [UInt8]) throws {
        // A look, which needs no turn of its own, spares most of them that.
        let query = "SELECT 1 FROM \"\(ResponseTable.name)\" WHERE resource = ? LIMIT 1"
        guard try read({ try !$0.rows(query, [.blob(resource)]).isEmpty }) == true else { return }
        try remove(where: "resource = ?", [.blob(resource)])
    }

    func removeAll(from origin: String?) throws {
        guard let origin else {
            try remove(where: "TRUE", [], withLog: true)
            return removeStrangers(at: now())
        }
        try remove(where: "origin = ?", [.text(origin)])
    }

    func removeExpired(at now: Date) throws {
        try remove(where: "useless < ?", [.real(now.timeIntervalSinceReferenceDate)])
        removeStrangers(at: now)
    }

    /// Removes what a crash has left over.
    private func removeStrangers(at now: Date) {
        files.removeStrangers(at: now) { names in
            let known =
                try read { tables in
                    try tables.rows(
                        "SELECT file FROM \"\(ResponseTable.name)\" WHERE file IS NOT NULL")
                } ?? []
            return names.subtracting(
                known.compactMap { row in if case .text(let name) = row[0] { name } else { nil } })
        }
    }

    private func remove(
        where condition: String, _ values: [SQLValue], withLog: Bool = false
    ) throws {
        guard try read({ _ in true }) == true else { return }
        try write { tables in
            let rows = try tables.rows(
                "SELECT id FROM \"\(ResponseTable.name)\" WHERE \(condition)", values)
            try remove(Self.ids(rows), tables)
            if withLog { tables.removeLog() }
        }
    }

    static func ids(_ rows: [[SQLValue]]) -> [Int64] {
        rows.compactMap { row in if case .integer(let id) = row[0] { id } else { nil } }
    }

    /// Removes responses of a key, as others may have their numbers by now.
    private func remove(
        _ ids: [Int64], of key: ResponseCacheKey, _ tables: SideTables
    ) throws {
        for id in ids {
            let rows = try tables.rows(
                "SELECT id FROM \"\(ResponseTable.name)\" WHERE id = ? AND resource = ? AND account = ?",
                [.integer(id), .blob(key.resource), .blob(key.account)])
            try remove(Self.ids(rows), tables)
        }
    }

    func remove(_ ids: [Int64], _ tables: SideTables) throws {
        for id in ids {
            let rows = try tables.rows(
                "DELETE FROM \"\(ResponseTable.name)\" WHERE id = ? RETURNING file", [.integer(id)])
            try tables.run(
                "DELETE FROM \"\(ResponseTable.imports)\" WHERE response = ?", [.integer(id)])
            // Where the transaction fails, the row is left without its content, and goes once it is read.
            if case .text(let name)? = rows.first?.first { files.remove(name) }
        }
    }
}
