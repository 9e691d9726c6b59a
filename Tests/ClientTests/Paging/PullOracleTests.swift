import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// What random servers list, and what a pull makes of it.
@Entity(tombstone: "deleted") struct Leaf {
    @Identity var id: Int
    var name: String
    @Attribute(mapped: false) var isGone = false
}

/// Random pulls, of lists that change between their pages, against what the pages were.
///
/// `LARDER_PULL_SEED` is the first seed, `LARDER_PULL_COUNT` how many programs there are.
@Suite struct PullOracleTests {
    /// What stands in a list.
    fileprivate enum Entry: Equatable {
        case there(Int), gone(Int), null

        var json: String {
            switch self {
            case .there(let id): #"{"id": \#(id), "name": "l"}"#
            case .gone(let id): #"{"id": \#(id), "deleted": true}"#
            case .null: "null"
            }
        }
    }

    private enum Way: CaseIterable {
        case number, sizedNumber, offset, link, header, cursor
        /// Several pages at once, between which nothing changes.
        case atOnce
        /// What has changed, once all of it has been read.
        case changes

        /// Whether the server goes on behind the last element.
        var isStable: Bool { [.header, .cursor, .changes].contains(self) }
        /// Whether a page says where the next one is in its content.
        var isOfFeeds: Bool { self == .cursor || self == .changes }
        /// Whether a page that has fewer elements than it was asked for is the last.
        var isSized: Bool { self == .sizedNumber || self == .offset }
        /// Whether a walk goes on until there is nothing.
        var isCounted: Bool { self == .number || isSized }
        /// Whether something may befall its requests.
        var mayBeCut: Bool { self != .atOnce && self != .changes }
    }

    /// What befalls one of the requests.
    private enum Cut: CaseIterable {
        case failure, part, aged, unreadableNext
    }

    /// A page with the cursor of the next.
    private struct Feed: Wrapper {
        var next: String?
        var token: String?
        @Stored var items: Many<Leaf>
    }

    /// A list by the keys of its order, and what has been answered.
    private struct Server {
        var list: [Int: Entry] = [:]
        var random: SplitMix
        var answers: [(entries: [Entry], isFirst: Bool)] = []
        /// The objects that have been there since the walk began.
        var always: Set<Int> = []
        var cut: (request: Int, how: Cut)?
        /// The objects that have come or gone since each time that somebody asked for changes, or for the first page.
        var versions: [Set<Int>] = []
        let way: Way
        let size: Int
        /// Whether there is no page where nothing is.
        let isStrict: Bool

        var there: Set<Int> {
            Set(list.values.compactMap { if case .there(let id) = $0 { id } else { nil } })
        }

        mutating func number(_ range: ClosedRange<Int>) -> Int {
            Int.random(in: range, using: &random)
        }

        /// Changes some of the list.
        ///
        /// - Parameter isWalking: Whether pages are being read, between which nothing is moved.
        mutating func edit(_ count: Int, isWalking: Bool) {
            for _ in 0..<count {
                let (key, before) = (number(1...40), there)
                switch number(0...9) {
                case 0...3:
                    let id = number(1...14)
                    if isWalking, there.contains(id) { continue }
                    list[key] = .there(id)
                case 4...6: list[key] = nil
                case 7: list[key] = .null
                default:
                    // What is gone is nowhere there.
                    let id = number(1...14)
                    for (key, entry) in list where entry == .there(id) { list[key] = .gone(id) }
                }
                let there = there
                for (key, entry) in list {
                    if case .gone(let id) = entry, there.contains(id) { list[key] = nil }
                }
                always.formIntersection(there)
                let changed = self.there.symmetricDifference(before)
                for index in versions.indices { versions[index].formUnion(changed) }
            }
        }

        mutating func answer(_ request: TransportRequest) -> TransportResponse {
            let items = URLComponents(string: request.head.path ?? "")?.queryItems ?? []
            let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
            let isFirst =
                query["after"] == nil && (query["page"] ?? "1") == "1"
                && (query["offset"] ?? "0") == "0"
            let walk = answers.filter(\.isFirst).count + (isFirst ? 1 : 0)
            if isFirst { versions.append([]) }
            if let since = query["since"].flatMap({ Int($0) }) { return changes(since: since) }
            // An object may slip through twice where the list changes in both walks.
            if way.isStable || walk == 1, way != .atOnce {
                edit(number(0...2), isWalking: true)
            }
            let keys = list.keys.sorted()
            let start: Int
            if let after = query["after"].flatMap({ Data(base64Encoded: $0) })?.first {
                start = keys.firstIndex { $0 > Int(after) } ?? keys.count
            } else {
                start = Int(query["offset"] ?? "") ?? (Int(query["page"] ?? "1") ?? 1) * size - size
            }
            if isStrict, start > 0, start >= keys.count {
                return .json("{}", status: .notFound)
            }
            let page = keys.dropFirst(start).prefix(size)
            let entries = page.compactMap { list[$0] }
            let isLast = start + page.count >= keys.count
            let cursor = Data([UInt8(page.last ?? 0), 0xFF, 0xFF, 0xFE]).base64EncodedString()
            var fields = HTTPFields()
            var status = HTTPResponse.Status.ok
            if !isLast, way == .link {
                fields[.named("Link")] =
                    "</leaves?page=\(start / size)>; rel=\"prev\","
                    + " </leaves?page=\(start / size + 2)>; title=\"a, b\"; rel=\"next\""
            }
            if !isLast, way == .header { fields[.named("X-Next")] = cursor }
            // A cache has pages of before by then, of which a pull of changes is to know nothing.
            if way == .changes { fields[.cacheControl] = "max-age=600" }
            if way == .atOnce { fields[.named("X-Total")] = "\((keys.count + size - 1) / size)" }
            if let cut, cut.request == answers.count {
                switch cut.how {
                case .failure: return .json("{}", status: .badGateway)
                case .part: status = .partialContent
                case .aged: fields[.age] = "7"
                case .unreadableNext:
                    if way == .link { fields[.named("Link")] = "<http://h:x/>; rel=\"next\"" }
                }
            }
            answers.append((entries, isFirst))
            let elements = "[" + entries.map(\.json).joined(separator: ", ") + "]"
            guard way.isOfFeeds else {
                return .json(elements, status: status, headerFields: fields)
            }
            let next = isLast ? "null" : "\"\(cursor)\""
            return .json(
                #"{"next": \#(next), "token": "\#(versions.count - 1)", "items": \#(elements)}"#,
                status: status, headerFields: fields)
        }

        /// What has come or gone since a version, and something that has not, in one page.
        private mutating func changes(since version: Int) -> TransportResponse {
            let now = there
            var entries = versions[version].sorted().map {
                now.contains($0) ? Entry.there($0) : .gone($0)
            }
            if let same = now.sorted().randomElement(using: &random) {
                entries.append(.there(same))
            }
            entries.shuffle(using: &random)
            answers.append((entries, true))
            let elements = entries.map(\.json).joined(separator: ", ")
            return .json(
                #"{"next": null, "token": "\#(versions.count - 1)", "items": [\#(elements)]}"#)
        }
    }

    /// The rows of the client: whether each is marked.
    fileprivate struct Rows: Equatable {
        var marks: [Int: Bool] = [:]
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let firstSeed = environment["LARDER_PULL_SEED"].flatMap(UInt64.init) ?? 1
    private static let count = environment["LARDER_PULL_COUNT"].flatMap(Int.init) ?? 300

    @Test func `a pull deletes what no page has, and nothing that was there all along`()
        async throws
    {
        for offset in 0..<Self.count {
            try await Self.run(seed: Self.firstSeed &+ UInt64(offset))
        }
        print("pulls: seeds from \(Self.firstSeed), \(Self.count) programs")
    }

    private static func run(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let way = Way.allCases.randomElement(using: &random) ?? .number
        let size = Int.random(in: 1...4, using: &random)
        let isMarking = Bool.random(using: &random)
        // A server may give fewer at a time than it is asked for.
        let isCapped = way.isSized && Int.random(in: 0...3, using: &random) == 0
        let asked = isCapped ? size + Int.random(in: 1...3, using: &random) : size
        let isStrict = way.isCounted && Bool.random(using: &random)
        let server = Guarded(Server(random: random, way: way, size: size, isStrict: isStrict))
        let store = try Store.inMemory(entities: Leaf.self)
        let transport = StubTransport { request in server.withLock { $0.answer(request) } }
        var configuration = Client.Configuration(transport: transport, timeout: .seconds(600))
        configuration.cache = way == .changes ? .inMemory() : nil
        let client = Client(
            baseURL: "http://test.invalid/", store: store, configuration: configuration)
        let whole =
            isMarking ? Completeness.whole(Leaf.all, marking: \.isGone) : .whole(Leaf.all)
        let endpoint = AdHocEndpoint.get("leaves")
            .setting(\.completeness, to: whole.allowingEmptying())
        var rows = Rows()
        // What has come by other ways, some of which is gone.
        let known = (1...14).filter { _ in Bool.random(using: &random) }
        var names: Set<Int> = []
        rows.take(known.map(Entry.there), naming: &names)
        try store.import(
            [Leaf].self,
            from: "[" + known.map { Entry.there($0).json }.joined(separator: ", ") + "]")
        for round in 0..<4 {
            let isFirst = way == .changes && round == 0
            if isFirst {
                // The first page is shown, before all of them are read.
                for try await _ in client.pages(endpoint, as: Feed.self, by: Self.feeds) { break }
                let shown = server.withLock { $0.answers.last?.entries }
                rows.take(shown ?? [], naming: &names)
            }
            let cut = server.withLock { server in
                server.edit(server.number(0...12), isWalking: false)
                // Somebody else has asked, whose token is that of now.
                if isFirst { server.versions.append([]) }
                server.answers = []
                server.always = server.there
                let (request, how) = (server.number(0...12), server.number(0...3))
                server.cut = way.mayBeCut ? (request, Cut.allCases[how]) : nil
                return server.cut
            }
            let before = rows
            let pull = await Result { try await self.pull(endpoint, by: way, asked, client) }
            let (answers, always) = server.withLock { ($0.answers, $0.always) }
            let place = Comment("seed \(seed), round \(round), \(way) by \(size)")
            var named: Set<Int> = []
            for (entries, _) in answers { rows.take(entries, naming: &named) }
            let isCut = cut.map { $0.request < answers.count } ?? false
            switch pull {
            case .success(.found):
                #expect(!isCut || cut?.how == .unreadableNext && way != .link, place)
                for (id, isMarked) in before.marks where !isMarked && !named.contains(id) {
                    guard rows.marks[id] != nil else { continue }
                    rows.marks[id] = isMarking ? true : nil
                }
                // What slips through and was never seen is found by no walk of those that count.
                let known = before.marks.filter { !$0.value }.keys
                let kept = way.isStable ? always : always.intersection(known)
                #expect(kept.isSubset(of: rows.marks.filter { !$0.value }.keys), place)
            case .success(.notFound(.readAtOnce)): #expect(way == .atOnce, place)
            case .success(.notAsked): #expect(way == .changes && round > 0, place)
            case .success(let vanished):
                #expect(vanished == .notFound(.incomplete) && (isCut || isCapped), place)
            case .failure:
                #expect(cut?.how == .failure || cut?.how == .unreadableNext, place)
            }
            let stored = try store.fetch(Leaf.all)
            let marks = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0.isGone) })
            #expect(marks == rows.marks, place)
            if way == .changes, round > 0 {
                let there = server.withLock(\.there)
                #expect(Set(marks.filter { !$0.value }.keys) == there, place)
            }
            rows.marks = marks
        }
    }

    private static var feeds: Paging<Feed> { .cursor(query: "after") { $0.next } }

    private static func pull(
        _ endpoint: AdHocEndpoint, by way: Way, _ size: Int, _ client: Client
    ) async throws -> PullReport.Vanished {
        typealias List = Many<Leaf>
        let paging: Paging<List>
        switch way {
        case .number: paging = .number(query: "page")
        case .sizedNumber: paging = .number(query: "page", size: size)
        case .offset: paging = .offset(query: "offset", size: size)
        case .link: paging = .link()
        case .header: paging = .header("X-Next", query: "after", isStable: true)
        case .atOnce:
            paging = .number(query: "page", atOnce: 3) { page in
                page.headerFields[.named("X-Total")].flatMap { Int($0) }
            }
        case .changes:
            return try await client.pull(
                endpoint, as: Feed.self, by: feeds,
                from: .named("leaves").token(query: "since") { $0.value.token }
            ).value.vanished
        case .cursor:
            return try await client.pull(
                endpoint, as: Feed.self, by: feeds
            ).value.vanished
        }
        return try await client.pull(endpoint, as: List.self, by: paging).value.vanished
    }
}

extension PullOracleTests.Rows {
    /// Takes a page as the client is to.
    fileprivate mutating func take(
        _ entries: [PullOracleTests.Entry], naming named: inout Set<Int>
    ) {
        for case .there(let id) in entries {
            marks[id] = false
            named.insert(id)
        }
        for case .gone(let id) in entries { marks[id] = nil }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
