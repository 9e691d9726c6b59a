import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import Logging

/// The responses by which a store can answer, in a table of its own beside the objects'.
///
/// Each is written in the transaction of what it has brought.
final class KeptResponses: Sendable {
    struct State {
        var salt: [UInt8]?
        var secrets: SecretFields?
        /// The number of responses, and of bytes, that have been kept since what there is was counted.
        var added = (count: KeptResponses.countingInterval, size: 0)
        /// The digest of the store's model, once it is asked for.
        var model: [UInt8]?
        /// What tells the store and that model, once it is asked for.
        var origin: UInt32?
    }

    let store: Store
    /// Those who want to hear whenever this process has changed what is kept.
    let observers = KeptObservers()
    /// The number by which these hear of what has gone with all objects.
    private let observation: Int
    /// Those that are known to lack nothing.
    let whole = WholeResponses()
    /// The sessions that have ended, and whose responses are about to be removed.
    let sessions: EndingSessions
    /// The client's cache, which has more of them.
    let cache: ResponseCache?
    let logger: Logger
    /// Whether somebody has been told that cookies tell nobody apart.
    let hasWarned = Guarded(false)
    let state = Guarded(State())

    init(
        in store: Store, besides cache: ResponseCache? = nil,
        logger: Logger = Logger(label: "larder.client")
    ) {
        (self.store, self.cache, self.logger) = (store, cache, logger)
        sessions = EndingSessions.of(store)
        observation = store.keptObservers.add { [observers] in observers.tell() }
    }

    deinit { store.keptObservers.remove(observation) }

    // MARK: The table

    static let table = SideTables.keptResponses
    private static let settings = SideTables.prefix + "kept.settings"

    private static let creation = [
        """
        CREATE TABLE IF NOT EXISTS "\(settings)" (name TEXT PRIMARY KEY, value BLOB) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS "\(table)" (
          id INTEGER PRIMARY KEY, request BLOB NOT NULL UNIQUE, endpoint TEXT NOT NULL, tags TEXT NOT NULL,
          fetched REAL NOT NULL, confirmed REAL NOT NULL, invalid INTEGER NOT NULL, size INTEGER NOT NULL,
          count INTEGER NOT NULL, sum INTEGER NOT NULL, model BLOB NOT NULL, path TEXT, head BLOB NOT NULL,
          skeleton BLOB NOT NULL, document BLOB) STRICT
        """,
        """
        CREATE INDEX IF NOT EXISTS "\(table).confirmed" ON "\(table)" (confirmed, size)
        """,
    ]

    /// The salt of the digests in this file; nil where there is none yet.
    func salt(in tables: SideTables) throws -> [UInt8]? {
        if let salt = state.withLock(\.salt) { return salt }
        guard try tables.has(Self.settings),
            case .blob(let salt)? = try tables.rows(
                "SELECT value FROM \"\(Self.settings)\" WHERE name = 'salt'"
            ).first?.first, salt.count >= 16
        else { return nil }
        state.withLock { $0.salt = salt }
        return salt
    }

    /// The salt of the digests, made with the tables where there are none.
    private func madeSalt(in tables: SideTables) throws -> [UInt8] {
        if try !tables.has(Self.table) {
            for sql in Self.creation { try tables.run(sql) }
            state.withLock { $0.salt = nil }
        }
        if let salt = try salt(in: tables) { return salt }
        let salt = KeyMaker.makeSalt()
        try tables.run(
            "INSERT OR REPLACE INTO \"\(Self.settings)\" VALUES ('salt', ?)", [.blob(salt)])
        return salt
    }

    /// The digest of the model by which the store's objects are mapped, and of how often it has changed.
    var model: [UInt8] {
        state.withLock { state in
            if let model = state.model { return model }
            let json = (try? store.model.json) ?? ""
            // One that comes again has not had what came meanwhile.
            let generation = Array("\(store.modelGeneration)".utf8)
            let model = KeyMaker(salt: []) { _ in false }.digest([Array(json.utf8), generation])
            state.model = model
            return model
        }
    }

    /// What tells the store and that model in a cache.
    var origin: UInt32 {
        if let origin = state.withLock(\.origin) { return origin }
        let origin = StoredImport.origin(of: store, by: model)
        state.withLock { $0.origin = origin }
        return origin
    }

    // MARK: Reading

    /// The response that is kept for a request.
    ///
    /// - Parameter reading: Tells how who asks reads it; nil for who does not, or does not know.
    func find(
        _ key: KeptResponseKey, in tables: SideTables, reading: (() -> String)? = nil
    ) throws -> KeptResponse? {
        guard try tables.has(Self.table), let salt = try salt(in: tables) else { return nil }
        // Before the row is read, which may be another one by then.
        let isPending = sessions.invalidations.withLock { $0.isPending(key) }
        let rows = try tables.rows(
            """
            SELECT fetched, confirmed, invalid, sum, path, head, skeleton, document, model
            FROM "\(Self.table)" WHERE request = ?
            """, [.blob(key.digest(salt: salt))])
        guard let row = rows.first, case .real(let fetched) = row[0],
            case .real(let confirmed) = row[1], case .integer(let invalid) = row[2],
            case .integer(let sum) = row[3], case .blob(let head) = row[5],
            case .blob(let bytes) = row[6]
        else { return nil }
        var (path, document): (String?, Data?) = (nil, nil)
        if case .text(let text) = row[4] { path = text }
        if case .blob(let bytes) = row[7] { document = Data(bytes) }
        // What is damaged is nothing that is kept.
        guard sum == KeptBytes.sum(of: head, bytes, document),
            let skeleton = ImportSkeleton(bytes: bytes),
            let head = KeptHead(bytes: head)
        else { return nil }
        // Of objects alone nothing else was read.
        let isReadOtherwise = document != nil && reading.map { $0() != head.reading } ?? false
        let isOfOtherModel = row[8] != .blob(model) || isReadOtherwise
        return KeptResponse(
            head: head.response, fetched: Date(timeIntervalSinceReferenceDate: fetched),
            confirmed: Date(timeIntervalSinceReferenceDate: confirmed),
            isInvalid: invalid != 0 || isOfOtherModel || isPending,
            isOfOtherModel: isOfOtherModel, variant: head.variant, reading: head.reading,
            keyPath: path, skeleton: skeleton, skeletonBytes: bytes, document: document)
    }

    /// Whether a response is still the one that is kept for a request, confirmed meanwhile or not.
    func has(
        _ kept: KeptResponse, for key: KeptResponseKey, in tables: SideTables
    ) throws -> Bool {
        guard try tables.has(Self.table), let salt = try salt(in: tables),
            let row = try tables.rows(
                "SELECT head FROM \"\(Self.table)\" WHERE request = ? AND fetched = ?",
                [
                    .blob(key.digest(salt: salt)),
                    .real(kept.fetched.timeIntervalSinceReferenceDate),
                ]
            ).first, case .blob(let bytes) = row[0], let head = KeptHead(bytes: bytes)
        else { return false }
        return KeptResponse.conditions(of: head.response) == KeptResponse.conditions(of: kept.head)
    }

    /// The fields whose values are secret by a redaction.
    func secrets(by redaction: Redaction) -> SecretFields {
        state.withLock { state in
            if let secrets = state.secrets, secrets.redaction == redaction { return secrets }
            let secrets = SecretFields(redaction)
            state.secrets = secrets
            return secrets
        }
    }

    // MARK: Writing

    /// The number of times that something was made invalid.
    var turn: Int { sessions.invalidations.withLock(\.turn) }

    /// Keeps a response in place of the one before, or none.
    ///
    /// - Parameters:
    ///   - turn: That in which it was asked for: it is not good where it was made invalid since.
    ///   - wasGood: Whether one that was good was found then: it is not where that is no more, which another client
    ///     of the file may have said.
    func keep(
        _ kept: KeptResponse?, for key: KeptResponseKey, since turn: Int, wasGood: Bool,
        in tables: SideTables
    ) throws {
        let bytes = kept.map(KeptBytes.init)
        guard let kept, let bytes, try hasRoom(for: bytes.size, of: key, in: tables) else {
            // What was kept before is not what the server has any more.
            guard try tables.has(Self.table), let salt = try salt(in: tables) else { return }
            try tables.run(
                "DELETE FROM \"\(Self.table)\" WHERE request = ?", [.blob(key.digest(salt: salt))])
            return
        }
        let digest = key.digest(salt: try madeSalt(in: tables))
        let isInvalid = kept.isInvalid || isInvalid(key, since: turn)
        try tables.run(
            """
            INSERT OR REPLACE INTO "\(Self.table)" (request, endpoint, tags, fetched, confirmed, invalid,
              size, count, sum, model, path, head, skeleton, document)
            VALUES (?1, ?2, ?3, ?4, ?5,
              CASE WHEN ?15 AND EXISTS (SELECT 1 FROM "\(Self.table)" WHERE request = ?1 AND invalid <> 0)
                THEN 1 ELSE ?6 END,
              ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """,
            [
                .blob(digest), .text(key.endpoint), .text(JSONTags.text(of: key.tags)),
                .real(kept.fetched.timeIntervalSinceReferenceDate),
                .real(kept.confirmed.timeIntervalSinceReferenceDate),
                .integer(isInvalid ? 1 : 0), .integer(bytes.size),
                .integer(Int64(kept.skeleton.objectCount)), .integer(bytes.sum), .blob(model),
                kept.keyPath.map(SQLValue.text) ?? .null, .blob(bytes.head),
                .blob(bytes.skeleton), kept.document.map { .blob(Array($0)) } ?? .null,
                .integer(wasGood ? 1 : 0),
            ])
        try trim(after: bytes.size, in: tables)
    }

    /// Notes that a response is still good, which differs from what is kept in its head at most; writes no more than
    /// that where it can.
    func confirm(
        _ kept: KeptResponse, for key: KeptResponseKey, since turn: Int, wasGood: Bool,
        in tables: SideTables
    ) throws {
        guard try tables.has(Self.table), let salt = try salt(in: tables) else {
            return try keep(kept, for: key, since: turn, wasGood: wasGood, in: tables)
        }
        let bytes = KeptBytes(kept)
        let isInvalid = kept.isInvalid || isInvalid(key, since: turn)
        let count = try tables.run(
            """
            UPDATE "\(Self.table)" SET endpoint = ?1, tags = ?2, confirmed = ?3,
              invalid = CASE WHEN ?11 AND invalid <> 0 THEN 1 ELSE ?4 END, size = ?5, sum = ?6, head = ?7
            WHERE request = ?8 AND fetched = ?9 AND skeleton = ?10
            """,
            [
                .text(key.endpoint), .text(JSONTags.text(of: key.tags)),
                .real(kept.confirmed.timeIntervalSinceReferenceDate),
                .integer(isInvalid ? 1 : 0), .integer(bytes.size), .integer(bytes.sum),
                .blob(bytes.head), .blob(key.digest(salt: salt)),
                .real(kept.fetched.timeIntervalSinceReferenceDate), .blob(bytes.skeleton),
                .integer(wasGood ? 1 : 0),
            ])
        // It is gone, or another one has taken its place.
        if count == 0 { try keep(kept, for: key, since: turn, wasGood: wasGood, in: tables) }
    }

    // MARK: What is not good any more

    /// Takes that a response has been kept, or confirmed, which was asked for in a turn.
    func noteKept(_ key: KeptResponseKey, since turn: Int) {
        sessions.invalidations.withLock { $0.renew(key, since: turn) }
    }

    private func isInvalid(_ key: KeptResponseKey, since turn: Int) -> Bool {
        sessions.invalidations.withLock { $0.concern(key, since: turn) }
    }

    /// Notes what is not good any more, so that neither what is there nor what is on its way is.
    ///
    /// - Returns: The turn by which the file is told of it.
    func note(_ scope: Scope) -> Int {
        sessions.invalidations.withLock { $0.note(scope, isPending: true) }
    }

    /// Has what is kept be good no more in the file, as noted in a turn.
    func invalidate(_ scope: Scope, noted turn: Int) throws {
        try change(scope, noted: turn) { condition, values, tables in
            try tables.run("UPDATE \"\(Self.table)\" SET invalid = 1 WHERE \(condition)", values)
        }
    }

    /// Removes what is kept for a request where that was found as it was asked for, and has what is on its way not be
    /// good then; what has come since is newer, and stays.
    func remove(_ key: KeptResponseKey, foundAs found: KeptResponse?) throws {
        func isOther(in tables: SideTables) throws -> Bool {
            guard try find(key, in: tables) != nil else { return false }
            return try found.map { try !has($0, for: key, in: tables) } ?? true
        }
        if (try? store.readBeside(isOther)) == true { return }
        try change(.request(key), noted: note(.request(key))) { condition, values, tables in
            if try isOther(in: tables) { return }
            try tables.run("DELETE FROM \"\(Self.table)\" WHERE \(condition)", values)
        }
    }

    private func change(
        _ scope: Scope, noted turn: Int,
        _ body: (String, [SQLValue], SideTables) throws -> Void
    ) throws {
        // A look, which needs no turn of its own, spares most of them that, unless there is no time for one.
        if (try? store.readBeside({ try $0.has(Self.table) })) != false {
            try store.writeBeside { tables in
                guard let (condition, values) = try condition(scope, in: tables) else { return }
                try body(condition, values, tables)
            }
        }
        // Where it can't be written, nothing of it is good for as long as this knows of it.
        sessions.invalidations.withLock { $0.settle(turn) }
        observers.tell()
    }

    /// What the rows fulfill that are meant; nil where there are none.
    func condition(_ scope: Scope, in tables: SideTables) throws -> (String, [SQLValue])? {
        guard try tables.has(Self.table) else { return nil }
        switch scope {
        case .all: return ("TRUE", [])
        case .request(let key):
            return try salt(in: tables).map { ("request = ?", [.blob(key.digest(salt: $0))]) }
        case .endpoint(let name): return ("endpoint = ?", [.text(name)])
        case .tag(let tag):
            // What is damaged may have any.
            return (
                """
                CASE WHEN json_valid(tags)
                  THEN EXISTS (SELECT 1 FROM json_each(tags) AS tag WHERE tag.value = ?) ELSE TRUE END
                """, [.text(tag)]
            )
        }
    }
}
