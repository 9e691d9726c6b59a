import Foundation
import HTTPTypes
import LarderObjectStore
public import LarderPromises

/// What a pull writes into the store with each page, so that the next one goes on from there.
///
/// ```swift
/// client.pull(Notes(), as: Many<Note>.self, by: .cursor(query: "after") { $0.next }, from: .named("notes"))
///
/// client.pull(
///     Notes(), as: Changes.self, by: .cursor(query: "after") { $0.next },
///     from: .named("notes").token(query: "since") { $0.value.syncToken })
/// ```
///
/// A pull that did not come to its end, whatever ended it, goes on at the page that had not been stored. With a token, one
/// that follows a whole pull asks for what has changed since.
///
/// A pull belongs to a name and to the client's ``Client/Configuration/account``; logging out forgets it.
public struct PullCheckpoint<Value: Sendable>: Sendable {
    /// A mark that a server gives, by which it tells what has changed since.
    struct Token: Sendable {
        let item: String
        let read: @Sendable (Response<Value>) throws -> String?
        let isExpired: @Sendable (ClientError) -> Bool
    }

    let name: String
    private(set) var token: Token?

    /// The checkpoint of a name, which tells one list from others.
    public static func named(_ name: String) -> PullCheckpoint { PullCheckpoint(name: name) }

    /// The same, which asks for changes alone once everything has come.
    ///
    /// Of a pull of changes no object is taken to have vanished because it isn't there: the server says by tombstones
    /// what has.
    ///
    /// The token of several pages is kept only where ``Paging`` is stable: between two pages that are counted, an object
    /// may slip through, of which changes would never tell. It should be that of the time at which the walk began: what
    /// changes behind it is not asked for any more. An empty token is none.
    ///
    /// Pages are the server's, whatever a ``ResponseCache`` has of before; where a policy has nobody be asked, the pull is as
    /// without a checkpoint.
    ///
    /// - Parameters:
    ///   - item: The item of the query that has the token.
    ///   - isExpired: Whether an error says that the server does not know the token any more, upon which everything is
    ///     pulled anew; one with status 410 (Gone) unless given.
    ///   - token: Reads the token for the next pull from a page; of several pages that have one the last counts.
    public func token(
        query item: String,
        isExpired: (@Sendable (ClientError) -> Bool)? = nil,
        _ token: @escaping @Sendable (Response<Value>) throws -> String?
    ) -> PullCheckpoint {
        var checkpoint = self
        checkpoint.token = Token(
            item: item, read: token, isExpired: isExpired ?? { $0.status?.code == 410 })
        return checkpoint
    }
}

extension Client {
    /// Has the next pull from a checkpoint begin anew, without its token; objects stay as they are.
    ///
    /// - Parameter name: The name of the checkpoint, as the client's account knows it.
    /// - Returns: A promise that is fulfilled once the place and the token are gone.
    @discardableResult
    public func forgetPull(named name: String) -> Promise<Void> {
        let account = configuration.account
        return store.promise.write { context in
            try PullRecords(tables: context.sideTables).remove(name, of: account)
        }
    }
}

/// The state of a pull as it is in the store.
struct PullRecord: Equatable {
    /// The digest of the list that it is about.
    var list: [UInt8] = []
    /// The place of the page to be read next; nil where none is under way.
    var place: NextPage?
    /// The number of pages that are stored of what is under way.
    var pageCount = 0
    /// The token of the last pull that came to its end, and the last one that the one under way has seen.
    var token: String?
    var nextToken: String?
    /// The token by which the one under way asks.
    var since: String?
    /// Whether the one under way can't tell any more what has vanished, though it should.
    var lacksVanished = false
    /// Whether it was to begin anew while one was under way, of which nothing is kept then.
    var isForgotten = false

    /// The same, once the last page is stored.
    var finished: PullRecord {
        // Who can't tell what has vanished has to see everything once more.
        var record = PullRecord(list: list, token: lacksVanished ? nil : nextToken ?? token)
        record.isForgotten = isForgotten
        return record
    }
}

/// The states of pulls, in a table beside the objects'.
struct PullRecords {
    private static let table = SideTables.pulls

    let tables: SideTables

    private static let columns =
        "list, url, query, page_count, token, next_token, since, lacks_vanished"

    /// The state of a pull; a new one where there is none, or it is damaged.
    func record(_ name: String, of account: String?) throws -> PullRecord {
        guard try tables.has(Self.table),
            let row = try tables.rows(
                "SELECT \(Self.columns) FROM \"\(Self.table)\" WHERE name = ? AND account = ?",
                [.text(name), .text(account ?? "")]
            ).first, case .blob(let list) = row[0], case .integer(let count) = row[3],
            let pageCount = Int(exactly: count), (0..<Int(Int32.max)).contains(pageCount),
            case .integer(let lacksVanished) = row[7]
        else { return PullRecord() }
        var record = PullRecord(list: list, pageCount: pageCount)
        record.token = row[4].text
        record.nextToken = row[5].text
        record.since = row[6].text
        record.lacksVanished = lacksVanished != 0
        if let text = row[1].text {
            guard let url = URL(string: text) else { return PullRecord() }
            record.place = .url(url)
        } else if let text = row[2].text {
            let items = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            guard let items else { return PullRecord() }
            record.place = .query(items)
        }
        return record
    }

    func save(_ record: PullRecord, of name: String, _ account: String?) throws {
        if try !tables.has(Self.table) {
            try tables.run(
                """
                CREATE TABLE IF NOT EXISTS "\(Self.table)" (
                  name TEXT NOT NULL, account TEXT NOT NULL, list BLOB NOT NULL, url TEXT, query TEXT,
                  page_count INTEGER NOT NULL, token TEXT, next_token TEXT, since TEXT,
                  lacks_vanished INTEGER NOT NULL, PRIMARY KEY (name, account)) STRICT, WITHOUT ROWID
                """)
        }
        let place = try record.place?.columns
        try tables.run(
            """
            INSERT OR REPLACE INTO "\(Self.table)" (name, account, \(Self.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(name), .text(account ?? ""), .blob(record.list),
                SQLValue(text: place?.url), SQLValue(text: place?.query),
                .integer(Int64(record.pageCount)), SQLValue(text: record.token),
                SQLValue(text: record.nextToken), SQLValue(text: record.since),
                .integer(record.lacksVanished ? 1 : 0),
            ])
    }

    /// Writes the state of a pull in place of the one that it had left, or none where that is not what is there: it
    /// was to begin anew, or another one goes by the same name.
    func replace(
        _ former: PullRecord, by record: inout PullRecord, of name: String, _ account: String?
    ) throws {
        if try !record.isForgotten && self.record(name, of: account) == former {
            return try save(record, of: name, account)
        }
        if !record.isForgotten { try remove(name, of: account) }
        record.isForgotten = true
    }

    /// Forgets the state of a pull.
    func remove(_ name: String, of account: String?) throws {
        guard try tables.has(Self.table) else { return }
        try tables.run(
            "DELETE FROM \"\(Self.table)\" WHERE name = ? AND account = ?",
            [.text(name), .text(account ?? "")])
    }

    /// Forgets the state of all pulls of an account, nil for those of none.
    func removeAll(of account: String?) throws {
        guard try tables.has(Self.table) else { return }
        try tables.run(
            "DELETE FROM \"\(Self.table)\" WHERE account = ?", [.text(account ?? "")])
    }

    func removeAll() throws {
        if try tables.has(Self.table) { try tables.run("DELETE FROM \"\(Self.table)\"") }
    }
}

extension NextPage {
    /// The place as it lies in a row: a URL, or the JSON of a query.
    fileprivate var columns: (url: String?, query: String?) {
        get throws {
            switch place {
            case .url(let url): return (url.absoluteString, nil)
            case .query(let items):
                let encoder = JSONEncoder()
                // The same text for the same place.
                encoder.outputFormatting = .sortedKeys
                return (nil, String(decoding: try encoder.encode(items), as: UTF8.self))
            }
        }
    }
}

extension SQLValue {
    fileprivate init(text: String?) { self = text.map(SQLValue.text) ?? .null }

    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension TransportRequest {
    /// The content; of JSON in one spelling, as each process may order members in its own way.
    var canonicalContent: [UInt8] {
        guard let body else { return [] }
        guard let document = try? JSONDocument(body) else { return Array(body) }
        return Array(document.root.canonicalText.utf8)
    }
}

extension ClientError {
    /// Whether the server has answered by what a request can't be content with, and what it may say again: not that
    /// somebody has to log in, or that it is in no state to answer.
    var isAnswer: Bool {
        switch reason {
        case .unacceptableStatus:
            ![401, 407, 408, 429, 502, 503, 504].contains(status?.code ?? 503)
        case .malformedJSON, .undecodable, .emptyBody, .unacceptableContentType, .refused: true
        case .notStored: underlying is MappingError || underlying is DecodingError
        default: false
        }
    }
}

extension SideTables {
    /// Removes what is kept of all pulls.
    func removePullRecords() throws { try PullRecords(tables: self).removeAll() }
}
