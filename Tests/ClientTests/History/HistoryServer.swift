import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore

/// What an answer says of an object.
enum HistoryEntry: Sendable, Equatable {
    case there(Int, HistoryRow)
    case gone(Int)

    var number: Int {
        switch self {
        case .there(let number, _), .gone(let number): number
        }
    }
}

/// An answer of the server's, as it was made.
struct HistoryAnswer: Sendable {
    var status = 200
    var entries: [HistoryEntry] = []
    /// The content, empty where there is none.
    var text = ""
    var fields: HTTPFields = [:]
    /// The number of changes that the server had by then.
    var tick = 0
    var token: String?
}

/// The server's side: objects of two accounts in dictionaries, and since when each of them is there.
struct HistoryServer: Sendable {
    /// A time, in changes, in which an object was there all along; without an end where it is there.
    struct Span: Sendable {
        let folder: Int
        let from: Int
        var to: Int?
    }

    struct Account: Sendable {
        var rows: [Int: HistoryRow] = [:]
        /// The changes by which objects have gone.
        var gone: [Int: Int] = [:]
        /// The times in which each was there, and those in which it was in one folder.
        var spans: [Int: [Span]] = [:]
        var places: [Int: [Span]] = [:]
        /// Each text that was ever true.
        var texts: Set<String> = []
    }

    static let names = ["ann", "bob"]

    let program: HistoryProgram
    private(set) var accounts: [String: Account] = [:]
    /// The number of changes so far.
    private(set) var tick = 0
    /// The last change before which tokens, and cursors, are not known any more.
    private var oldestToken = 0
    private var oldestPlace = 0
    /// The seconds by the true clock.
    var time = 0.0

    init(_ program: HistoryProgram) {
        self.program = program
        for name in Self.names { accounts[name] = Account() }
        for (number, folder) in program.objects.sorted(by: { $0.key < $1.key }) {
            edit(.put(number, folder: folder))
        }
    }

    // MARK: Changes

    /// Changes an object, alike for both accounts.
    mutating func edit(_ edit: HistoryStep.Edit) {
        tick += 1
        for name in Self.names {
            switch edit {
            case .put(let number, let folder): change(number, of: name, in: folder)
            case .title(let number): change(number, of: name, isBody: false)
            case .body(let number): change(number, of: name, isTitle: false)
            case .move(let number, let folder):
                guard accounts[name]?.rows[number] != nil else { continue }
                change(number, of: name, in: folder, isTitle: false, isBody: false)
            case .delete(let number): delete(number, of: name)
            }
        }
    }

    /// Makes an object, where it is in a folder, or changes the one that there is.
    private mutating func change(
        _ number: Int, of name: String, in folder: Int? = nil, isTitle: Bool = true,
        isBody: Bool = true
    ) {
        guard var account = accounts[name] else { return }
        let old = account.rows[number]
        guard let folder = folder ?? old?.folder else { return }
        let text = "\(name).\(number).\(tick)"
        let row = HistoryRow(
            title: isTitle ? text : old?.title ?? text,
            body: isBody ? text : old?.body ?? text, folder: folder, stamp: tick)
        account.rows[number] = row
        account.gone[number] = nil
        account.texts.insert(text)
        if old == nil { account.spans.begin(number, folder, at: tick) }
        if old?.folder != folder {
            account.places.end(number, at: tick)
            account.places.begin(number, folder, at: tick)
        }
        accounts[name] = account
    }

    private mutating func delete(_ number: Int, of name: String) {
        guard accounts[name]?.rows.removeValue(forKey: number) != nil else { return }
        accounts[name]?.gone[number] = tick
        accounts[name]?.spans.end(number, at: tick)
        accounts[name]?.places.end(number, at: tick)
    }

    /// Knows no token of before now any more, nor what has gone by then.
    mutating func expireTokens() {
        tick += 1
        oldestToken = tick
        for name in Self.names { accounts[name]?.gone = [:] }
    }

    /// Knows no place of before now any more.
    mutating func forgetPlaces() {
        tick += 1
        oldestPlace = tick
    }

    /// Whether an object was there, or in a folder, at one change, and all along to now.
    func hasHad(_ number: Int, of name: String, in folder: Int?, since tick: Int) -> Bool {
        let spans = folder == nil ? accounts[name]?.spans : accounts[name]?.places
        return (spans?[number] ?? []).contains { span in
            span.to == nil && span.from <= tick && (folder ?? span.folder) == span.folder
        }
    }

    // MARK: Answers

    /// Answers a request, and does what it asks for.
    mutating func answer(_ request: TransportRequest) -> HistoryAnswer {
        let name = request.head.headerFields[.authorization] ?? ""
        let url = URLComponents(string: request.head.path ?? "")
        let path = (url?.path ?? "").split(separator: "/").map(String.init)
        let items = url?.queryItems ?? []
        let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        let number = path.count > 1 ? Int(path[1]) ?? 0 : 0
        var answer: HistoryAnswer
        switch (request.head.method, path.first ?? "") {
        case (.patch, _): return patch(number, of: name)
        case (.delete, _): return remove(number, of: name)
        case (_, "notes") where path.count > 1: answer = one(number, of: name)
        case (_, "folders"): answer = list(of: name, in: number)
        case (_, "notes"): answer = list(of: name)
        case (_, "feed"): answer = feed(of: name)
        default: answer = page(of: name, query)
        }
        addFields(to: &answer)
        return answer
    }

    private mutating func patch(_ number: Int, of name: String) -> HistoryAnswer {
        guard accounts[name]?.rows[number] != nil else { return HistoryAnswer(status: 404) }
        tick += 1
        change(number, of: name, isBody: false)
        var answer = one(number, of: name)
        answer.tick = tick
        return answer
    }

    private mutating func remove(_ number: Int, of name: String) -> HistoryAnswer {
        guard accounts[name]?.rows[number] != nil else { return HistoryAnswer(status: 404) }
        tick += 1
        delete(number, of: name)
        return HistoryAnswer(status: 204, tick: tick)
    }

    private func one(_ number: Int, of name: String) -> HistoryAnswer {
        guard let row = accounts[name]?.rows[number] else { return HistoryAnswer(status: 404) }
        let entry = HistoryEntry.there(number, row)
        return HistoryAnswer(entries: [entry], text: json(entry))
    }

    private func list(of name: String, in folder: Int? = nil) -> HistoryAnswer {
        let entries = entries(of: name, since: nil).filter { entry in
            guard let folder, case .there(_, let row) = entry else { return true }
            return row.folder == folder
        }
        return HistoryAnswer(entries: entries, text: json(entries))
    }

    private func feed(of name: String) -> HistoryAnswer {
        var answer = list(of: name)
        answer.token = "\(tick)"
        answer.text = #"{"next": null, "token": "\#(tick)", "items": \#(answer.text)}"#
        return answer
    }

    /// The objects in their order, and those that have gone where that is told.
    ///
    /// - Parameter since: The change after which they have changed.
    private func entries(of name: String, since: Int?) -> [HistoryEntry] {
        guard let account = accounts[name] else { return [] }
        var entries = account.rows.filter { $0.value.stamp > since ?? -1 }.map { number, row in
            var row = row
            if program.isBrief { row.body = nil }
            return HistoryEntry.there(number, row)
        }
        if since != nil || program.tellsTombstones {
            entries += account.gone.filter { $0.value > since ?? -1 }.map { .gone($0.key) }
        }
        return entries.sorted { $0.number < $1.number }
    }

    private func page(of name: String, _ query: [String: String]) -> HistoryAnswer {
        let since = query["since"].flatMap { Int($0) }
        if let since, since < oldestToken { return HistoryAnswer(status: 410) }
        let entries = entries(of: name, since: since)
        let size = program.pageSize
        var (start, token) = (0, tick)
        // A cursor has the number that it goes on behind, and the change that the walk began at.
        if let after = query["after"]?.split(separator: "-").compactMap({ Int($0) }) {
            if after[1] < oldestPlace { return HistoryAnswer(status: 400) }
            start = entries.firstIndex { $0.number > after[0] } ?? entries.count
            token = after[1]
        } else {
            start = Int(query["offset"] ?? "") ?? (Int(query["page"] ?? "1") ?? 1) * size - size
        }
        let page = Array(entries.dropFirst(start).prefix(size))
        let isLast = start + page.count >= entries.count
        let cursor = "\(page.last?.number ?? 0)-\(token)"
        var answer = HistoryAnswer(entries: page, text: json(page))
        switch program.way {
        case .link where !isLast:
            answer.fields[.named("Link")] = "</pages?page=\(start / size + 2)>; rel=\"next\""
        case .header where !isLast: answer.fields[.named("X-Next")] = cursor
        case .cursor:
            let next = isLast ? "null" : "\"\(cursor)\""
            answer.token = "\(token)"
            answer.text =
                #"{"next": \#(next), "token": "\#(token)", "items": \#(answer.text)}"#
        default: break
        }
        return answer
    }

    // MARK: JSON and fields

    private func json(_ entries: [HistoryEntry]) -> String {
        "[" + entries.map { json($0) }.joined(separator: ",") + "]"
    }

    private func json(_ entry: HistoryEntry) -> String {
        let id = program.isText ? Card.identity(entry.number) : Sheet.identity(entry.number)
        guard case .there(_, let row) = entry else { return #"{"id":\#(id),"deleted":true}"# }
        let body = row.body.map { #""body":"\#($0)","# } ?? ""
        let place = #""folder":\#(row.folder),"stamp":\#(row.stamp)"#
        return #"{"id":\#(id),"title":"\#(row.title)",\#(body)\#(place)}"#
    }

    private func addFields(to answer: inout HistoryAnswer) {
        answer.tick = tick
        guard answer.status == 200 || answer.status == 404 else { return }
        switch program.control {
        case .none: break
        case .noStore: answer.fields[.cacheControl] = "no-store"
        case .noCache: answer.fields[.cacheControl] = "no-cache"
        case .fresh: answer.fields[.cacheControl] = "public, max-age=\(Self.lifetime)"
        case .freshAndStale:
            answer.fields[.cacheControl] =
                "public, max-age=\(Self.lifetime), stale-while-revalidate=\(Self.lifetime)"
        }
        guard answer.status == 200 else { return }
        switch program.validator {
        case .none: break
        case .tag: answer.fields[.eTag] = "\"\(ResourceDigest.of(answer.text))\""
        // What it says of freshness alone is nobody's guess.
        case .time:
            answer.fields[.lastModified] = Self.date(Double(tick) - 1_000_000)
            if program.control == .none { answer.fields[.cacheControl] = "no-cache" }
        }
    }

    /// The seconds for which a response is fresh.
    static let lifetime = 10

    /// The time by the server's clock, as a field has it.
    var date: String { Self.date(time + program.serverError) }

    private static func date(_ seconds: Double) -> String {
        RFC1123.text(of: 821_692_800 + seconds) ?? ""
    }
}

/// A digest of text (FNV-1a), the same in each process.
private enum ResourceDigest {
    static func of(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension [Int: [HistoryServer.Span]] {
    fileprivate mutating func begin(_ number: Int, _ folder: Int, at tick: Int) {
        self[number, default: []].append(.init(folder: folder, from: tick))
    }

    fileprivate mutating func end(_ number: Int, at tick: Int) {
        guard let last = self[number]?.indices.last, self[number]?[last].to == nil else { return }
        self[number]?[last].to = tick
    }
}
