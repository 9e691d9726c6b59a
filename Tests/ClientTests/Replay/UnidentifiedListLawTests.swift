import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Lists of an owner's objects that nothing identifies, however they come: the store has as many as the last list that
/// a server has sent, and what caches have changes nothing of it.
@Suite struct UnidentifiedListLawTests {
    @Entity struct Basket {
        @Identity var id: Int
        @Relationship(inverse: "basket", ordered: false, delete: .cascade) var goods: Many<Good>
        @Relationship(inverse: "basket", ordered: false) var memos: Many<Memo>
        @Relationship(inverse: "basket", ordered: false) var coupons: Many<Coupon>
    }

    /// What can't be without its owner.
    @Entity struct Good {
        var text: String
        @Relationship(inverse: "goods") var basket: One<Basket>
        @Relationship(delete: .cascade, policy: .replace) var labels: Many<Label>
    }

    @Entity struct Label { var text: String }

    /// What may be without it.
    @Entity struct Memo {
        var text: String
        @Relationship(inverse: "memos") var basket: One<Basket>?
    }

    /// What a code identifies, where there is one.
    @Entity struct Coupon {
        @Identity var code: String?
        var text: String
        @Relationship(inverse: "coupons") var basket: One<Basket>?
    }

    fileprivate enum Kind: String, CaseIterable {
        case goods, memos, coupons

        var completeness: Completeness {
            let basket = One<Basket>(id: 1)
            return switch self {
            case .goods: .whole(\.goods, of: basket).allowingEmptying()
            case .memos: .whole(\.memos, of: basket).allowingEmptying()
            case .coupons: .whole(\.coupons, of: basket).allowingEmptying()
            }
        }

        /// Whether it is a text that is the code of what has it, too.
        func isCode(_ text: String) -> Bool { self == .coupons && text < "c" }

        /// - Parameter isOwned: Whether each names its owner.
        func json(_ texts: some Sequence<String>, isOwned: Bool = false) -> String {
            let owner = isOwned ? #", "basket": 1"# : ""
            let elements = texts.map { text in
                let code = isCode(text) ? #", "code": "\#(text)""# : ""
                return #"{"text": "\#(text)"\#(code)\#(owner), "labels": [{"text": "l"}]}"#
            }
            return "[\(elements.joined(separator: ", "))]"
        }

        /// Elements for a list of these: no code comes twice.
        func draw(by random: inout SplitMix) -> [String] {
            let texts = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
            }
            return Set(texts.filter(isCode)).sorted() + texts.filter { !isCode($0) }
        }
    }

    /// A server of one list for each kind, in pages of two or whole.
    fileprivate final class Shop: Sendable {
        struct State {
            var lists: [Kind: [String]] = [:]
            var fields: HTTPFields = [:]
            var isAway = false
            var holds: [AsyncStream<Void>] = []
        }

        let state = Guarded(State())
        let arrivals: AsyncStream<Void>
        private let arrival: AsyncStream<Void>.Continuation

        init() { (arrivals, arrival) = AsyncStream.makeStream() }

        @Sendable func answer(_ request: TransportRequest) async throws -> TransportResponse {
            let hold = state.withLock { $0.holds.isEmpty ? nil : $0.holds.removeFirst() }
            if let hold {
                arrival.yield()
                for await _ in hold { break }
            }
            return try state.withLock { state in
                if state.isAway { throw TransportError(.cannotConnect, "Away.") }
                let parts = URLComponents(string: request.head.path ?? "")
                let query = Dictionary(
                    (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
                ) { $1 }
                let kind = Kind(rawValue: parts.map { String($0.path.dropFirst()) } ?? "")
                guard let kind else { return .json("", status: .notFound) }
                let list = state.lists[kind] ?? []
                if let page = query["page"].flatMap({ Int($0) }) {
                    let rest = list.dropFirst(2 * page).prefix(2)
                    return .json(
                        kind.json(rest, isOwned: query["owned"] != nil),
                        headerFields: [.cacheControl: "no-store"])
                }
                let tag = "\"\(list.joined())\""
                var fields = state.fields
                fields[.eTag] = tag
                let isKnown = request.head.headerFields[.ifNoneMatch] == tag
                return isKnown
                    ? .json("", status: .notModified, headerFields: fields)
                    : .json(kind.json(list), headerFields: fields)
            }
        }
    }

    /// What a store has, beside what it is to have.
    fileprivate struct Run {
        let shop = Shop()
        let setting: CacheSetting
        let client: Client
        /// The texts by kinds.
        var expected: [Kind: [String]] = [:]

        init(isKeeping: Bool) throws {
            let store = try Store.inMemory(
                entities: Basket.self, Good.self, Label.self, Memo.self, Coupon.self)
            try store.save(Basket(id: 1, goods: [], memos: [], coupons: []))
            setting = try CacheSetting(in: store, shop.answer)
            client = setting.client.fetching(isKeeping ? .networkFirst() : .networkOnly)
        }

        /// All texts of a kind, whosever they are.
        func texts(_ kind: Kind) throws -> [String] {
            let store = client.store
            let all =
                switch kind {
                case .goods: try store.select(Good.all) { $0.text }
                case .memos: try store.select(Memo.all) { $0.text }
                case .coupons: try store.select(Coupon.all) { $0.text }
                }
            return all.sorted()
        }

        /// The texts of those that the owner has.
        func ownTexts(_ kind: Kind) throws -> [String] {
            let (store, basket) = (client.store, One<Basket>(id: 1))
            let own =
                switch kind {
                case .goods: try store.select(Good.where { $0.basket == basket }) { $0.text }
                case .memos: try store.select(Memo.where { $0.basket == basket }) { $0.text }
                case .coupons: try store.select(Coupon.where { $0.basket == basket }) { $0.text }
                }
            return own.sorted()
        }

        private func endpoint(_ kind: Kind) -> AdHocEndpoint {
            .get("\(kind.rawValue)").setting(\.completeness, to: kind.completeness)
        }

        /// Asks for a list, and returns its texts.
        func ask(
            _ kind: Kind, by policy: CachePolicy = .http
        ) -> Promise<(source: ResponseSource, texts: [String])> {
            let (client, list) = (client.caching(policy), endpoint(kind))
            return switch kind {
            case .goods:
                client.enqueue(list, as: Response<[Good]>.self).map {
                    ($0.source, $0.value.map(\.text))
                }
            case .memos:
                client.enqueue(list, as: Response<[Memo]>.self).map {
                    ($0.source, $0.value.map(\.text))
                }
            case .coupons:
                client.enqueue(list, as: Response<[Coupon]>.self).map {
                    ($0.source, $0.value.map(\.text))
                }
            }
        }

        func pull(_ kind: Kind, size: Int?) async throws -> PullReport {
            let list = endpoint(kind)
            return switch kind {
            case .goods:
                try await client.pull(
                    list, as: [Good].self, by: .number(query: "page", from: 0, size: size)
                ).value
            case .memos:
                try await client.pull(
                    list, as: [Memo].self, by: .number(query: "page", from: 0, size: size)
                ).value
            case .coupons:
                try await client.pull(
                    list, as: [Coupon].self, by: .number(query: "page", from: 0, size: size)
                ).value
            }
        }

        /// Takes what has come of asking.
        mutating func take(
            _ answer: (source: ResponseSource, texts: [String]), of kind: Kind, _ comment: Comment
        ) {
            let known = expected[kind] ?? []
            let (sent, isAged) = shop.state.withLock {
                ($0.lists[kind] ?? [], $0.fields[.age] != nil)
            }
            switch answer.source {
            case .network, .revalidated:
                #expect(answer.texts.sorted() == sent.sorted(), comment)
                // What is none of now shows nothing to have vanished that has an identity.
                expected[kind] =
                    sent + (isAged ? Set(known.filter(kind.isCode)).subtracting(sent) : [])
            default:
                // What is missing comes back. Of what nothing identifies a list of nothing else is what there is, if
                // there is any; another one brings it anew.
                let isAnew = kind == .coupons && answer.source != .store
                let standing = known.filter { !kind.isCode($0) }
                let others = answer.texts.filter { !kind.isCode($0) }
                let codes = Set(answer.texts.filter(kind.isCode)).subtracting(known)
                expected[kind] =
                    known.filter(kind.isCode) + codes
                    + (isAnew || standing.isEmpty ? others : standing)
            }
        }
    }

    @Test(arguments: [false, true])
    func `beside a pull the list stands that has come last as a whole`(_ isPull: Bool) async throws
    {
        let run = try Run(isKeeping: false)
        let texts = ["a", "b", "c", "d"]
        run.shop.state.withLock { $0.lists[.goods] = texts }
        _ = try await run.ask(.goods).value
        // Three pages, the last of which is held.
        let (held, gate) = AsyncStream<Void>.makeStream()
        let open = (0..<2).map { _ in AsyncStream<Void> { $0.finish() } }
        run.shop.state.withLock { $0.holds = open + [held] }
        let late = Task { try await run.pull(.goods, size: nil) }
        var arrival = run.shop.arrivals.makeAsyncIterator()
        for _ in 0..<3 { await arrival.next() }
        if isPull {
            #expect(try await run.pull(.goods, size: nil).vanished == .found)
        } else {
            #expect(try await run.ask(.goods).value.texts == texts)
        }
        #expect(try run.texts(.goods) == texts)
        gate.yield()
        #expect(try await late.value.vanished == .found)
        #expect(try run.texts(.goods) == texts && run.ownTexts(.goods) == texts)
        // The next one is by itself.
        #expect(try await run.pull(.goods, size: 2).vanished == .found)
        #expect(try run.texts(.goods) == texts)
    }

    @Test func `beside a list of something else a pull keeps what it has brought`() async throws {
        let run = try Run(isKeeping: false)
        run.shop.state.withLock { $0.lists[.memos] = ["a", "b", "c", "d"] }
        let all = AdHocEndpoint.get("memos", query: ["owned": 1])
            .setting(\.completeness, to: .whole(Memo.all).allowingEmptying())
        func pull() async throws -> PullReport {
            try await run.client.pull(
                all, as: [Memo].self, by: .number(query: "page", from: 0)
            ).value
        }
        let (held, gate) = AsyncStream<Void>.makeStream()
        run.shop.state.withLock { $0.holds = [AsyncStream { $0.finish() }, held] }
        let late = Task { try await pull() }
        var arrival = run.shop.arrivals.makeAsyncIterator()
        for _ in 0..<2 { await arrival.next() }
        // The owner's list takes the place of the first page, and says nothing of other owners'.
        _ = try await run.ask(.memos).value
        gate.yield()
        #expect(try await late.value.vanished == .notFound(.incomplete))
        #expect(try run.texts(.memos) == ["a", "b", "c", "c", "d", "d"])
        #expect(try await pull().vanished == .found)
        #expect(try run.texts(.memos) == ["a", "b", "c", "d"])
    }

    @Test(arguments: 0..<30)
    func `as many stay as the last list has`(_ seed: Int) async throws {
        var random = SplitMix(seed: UInt64(seed))
        var run = try Run(isKeeping: seed % 2 == 0)
        var sources: Set<ResponseSource> = []
        for step in 0..<50 {
            let kind = Kind.allCases.randomElement(using: &random) ?? .goods
            let comment: Comment = "\(kind) in step \(step) of \(seed)"
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2:
                let texts = kind.draw(by: &random)
                run.shop.state.withLock { $0.lists[kind] = texts }
            case 3:
                let control = ["max-age=60", "no-cache", "max-age=0"].randomElement(using: &random)
                let age = Int.random(in: 0..<3, using: &random) == 0 ? "5" : nil
                run.shop.state.withLock { state in
                    state.fields = [:]
                    state.fields[.cacheControl] = control
                    state.fields[.age] = age
                }
            case 4: run.setting.clock.pass(40)
            case 5:
                let way = Int.random(in: 0..<2, using: &random) == 0 ? 2 : nil
                let sent = run.shop.state.withLock { $0.lists[kind] ?? [] }
                let report = try await run.pull(kind, size: way)
                #expect(report.vanished == .found, comment)
                run.expected[kind] = sent
            case 6:
                // Two at once, which have been asked for before either comes.
                let gates = (0..<2).map { _ in AsyncStream<Void>.makeStream() }
                run.shop.state.withLock { $0.holds = gates.map(\.stream) }
                let (settled, settle) = AsyncStream<Void>.makeStream()
                for _ in gates { _ = run.ask(kind, by: .reload).handle { _ in settle.yield() } }
                var (arrival, end) = (
                    run.shop.arrivals.makeAsyncIterator(), settled.makeAsyncIterator()
                )
                for _ in gates { await arrival.next() }
                // What has come since it was asked for, and has an identity, may be newer.
                let before = Set(run.expected[kind] ?? [])
                for gate in gates.shuffled(using: &random) {
                    let newer = (run.expected[kind] ?? []).filter {
                        kind.isCode($0) && !before.contains($0)
                    }
                    let texts = kind.draw(by: &random)
                    run.shop.state.withLock { $0.lists[kind] = texts }
                    gate.continuation.yield()
                    await end.next()
                    run.take((.network, texts), of: kind, comment)
                    let known = run.expected[kind] ?? []
                    run.expected[kind]? += newer.filter { !known.contains($0) }
                }
            case 7:
                run.shop.state.withLock { $0.isAway = true }
                let asked = run.ask(kind, by: .http.servingStale(for: .seconds(1_000)))
                if let answer = try? await asked.value {
                    sources.insert(answer.source)
                    run.take(answer, of: kind, comment)
                }
                run.shop.state.withLock { $0.isAway = false }
            default:
                let answer = try await run.ask(kind).value
                sources.insert(answer.source)
                run.take(answer, of: kind, comment)
            }
            _ = try await run.setting.cache.settled().value
            for kind in Kind.allCases {
                let texts = try run.texts(kind)
                #expect(texts == (run.expected[kind] ?? []).sorted(), comment)
                #expect(try run.ownTexts(kind) == texts, comment)
            }
        }
        #expect(sources.contains(.network))
    }
}
