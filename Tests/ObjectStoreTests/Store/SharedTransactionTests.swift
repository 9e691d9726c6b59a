import Foundation
import Testing

@testable import LarderObjectStore

/// Imports that share a transaction, beside the same ones in transactions of their own.
///
/// The law: each makes the same value, report and error as it does alone, and the store is the same in the
/// end. `LARDER_ORACLE_COUNT` is how many programs there are, 1,000 at most, `LARDER_ORACLE_SEED` the first.
struct SharedTransactionTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count =
        environment["LARDER_ORACLE_COUNT"].flatMap(Int.init).map { min($0, 1_000) } ?? 200
    private static let first = environment["LARDER_ORACLE_SEED"].flatMap(Int.init) ?? 0

    private struct GivenUp: Error {}

    /// Something to import, and when it is given up, if it is.
    private struct Part {
        let json: String
        let isLossy: Bool
        let isCancelled: Bool
        let isRefused: Bool

        init(_ random: inout SplitMix64) {
            let heroes = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Self.hero(&random)
            }
            json = "[\(heroes.joined(separator: ", "))]"
            isLossy = Int.random(in: 0..<3, using: &random) == 0
            isCancelled = Int.random(in: 0..<10, using: &random) == 0
            isRefused = Int.random(in: 0..<6, using: &random) == 0
        }

        private static func hero(_ random: inout SplitMix64) -> String {
            func id() -> Int { Int.random(in: 1...5, using: &random) }
            var members = [#""id": \#(id())"#]
            // Without a name only the known are whole.
            if Int.random(in: 0..<6, using: &random) > 0 { members.append(#""name": "n\#(id())""#) }
            switch Int.random(in: 0..<9, using: &random) {
            case 0: members.append(#""strength": "much""#)
            case 1: members.append(#""strength": \#(id())"#)
            default: break
            }
            if Bool.random(using: &random) {
                members.append(#""powers": [{"id": "\#(id())", "name": "p\#(id())"}, "\#(id())"]"#)
            }
            if Bool.random(using: &random) { members.append(#""mentor": {"id": \#(id())}"#) }
            if Bool.random(using: &random) {
                members.append(#""publisher": {"id": \#(id()), "name": "u"}"#)
            }
            return "{\(members.joined(separator: ", "))}"
        }

        func willCommit() throws {
            if isRefused { throw GivenUp() }
        }
    }

    /// What became of an import.
    private static func outcome<List: HeroList>(
        _ type: List.Type, _ body: (List.Type) throws -> (value: List, report: ImportReport)
    ) -> String {
        do {
            let (value, report) = try body(type)
            let counts = report.entities.sorted { $0.key < $1.key }
            return "\(try value.ids) \(counts) \(report.skipped)"
        } catch {
            return "\(error)"
        }
    }

    private static func outcome(of part: Part, alone store: Store, _ json: JSONValue) -> String {
        func outcome<List: HeroList>(_ type: List.Type) -> String {
            Self.outcome(type) {
                try store.import(
                    $0, from: json, willWait: { _ in }, options: DecodingOptions(),
                    isCancelled: { part.isCancelled }, willCommit: part.willCommit)
            }
        }
        return part.isLossy ? outcome(LossyList<Hero>.self) : outcome(Many<Hero>.self)
    }

    private static func outcome(
        of part: Part, in transaction: SharedTransaction, _ json: JSONValue
    ) -> String {
        func outcome<List: HeroList>(_ type: List.Type) -> String {
            Self.outcome(type) {
                try transaction.import(
                    $0, from: json, options: DecodingOptions(),
                    isCancelled: { part.isCancelled }, willCommit: part.willCommit)
            }
        }
        return part.isLossy ? outcome(LossyList<Hero>.self) : outcome(Many<Hero>.self)
    }

    @Test(arguments: 0..<4)
    func `each is as it were alone`(_ part: Int) async throws {
        for seed in stride(from: Self.first + part, to: Self.first + Self.count, by: 4) {
            await Task.yield()
            var random = SplitMix64(seed: UInt64(seed))
            let (together, alone) = try (Comics.store(), Comics.store())
            for _ in 0..<3 {
                let parts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    Part(&random)
                }
                let expected = try parts.map { part in
                    try Self.outcome(of: part, alone: alone, JSONDocument(part.json).root)
                }
                var outcomes: [String] = []
                var told = 0
                try together.sharingTransaction(willWait: { _ in }) { transaction in
                    for part in parts {
                        let json = try JSONDocument(part.json).root
                        outcomes.append(Self.outcome(of: part, in: transaction, json))
                        transaction.whenCommitted { told += 1 }
                    }
                    #expect(told == 0)
                }
                #expect(outcomes == expected, "seed \(seed)")
                #expect(told == parts.count)
                for store in [together, alone] {
                    #expect(try store.checkIntegrity().isSound, "seed \(seed)")
                }
                #expect(try Self.content(of: together) == Self.content(of: alone), "seed \(seed)")
            }
        }
    }

    private static func content(of store: Store) throws -> [String] {
        try ["Hero", "Power", "Publisher"].map { name in
            let json = try store.json(DynamicQuery(name), relationships: .identities)
            return String(decoding: json, as: UTF8.self)
        }
    }

    @Test func `nothing is stored, and nobody told, where the body throws`() throws {
        let store = try Comics.store()
        var isTold = false
        #expect(throws: GivenUp.self) {
            try store.sharingTransaction(willWait: { _ in }) { transaction in
                _ = try transaction.import(
                    Hero.self, from: JSONDocument(#"{"id": 1, "name": "a"}"#).root,
                    options: DecodingOptions(), isCancelled: { false }, willCommit: {})
                transaction.whenCommitted { isTold = true }
                throw GivenUp()
            }
        }
        #expect(try store.count(Hero.all) == 0)
        #expect(!isTold)
    }

    @Test func `who observes is told once, and each has its own report`() throws {
        let store = try Comics.store()
        let recorder = ChangeRecorder(store)
        var reports: [ImportReport] = []
        try store.sharingTransaction(willWait: { _ in }) { transaction in
            for id in 1...3 {
                let json = try JSONDocument(#"{"id": \#(id), "name": "a"}"#).root
                reports.append(
                    try transaction.import(
                        Hero.self, from: json, options: DecodingOptions(),
                        isCancelled: { false }, willCommit: {}
                    ).report)
            }
            #expect(recorder.take().isEmpty)
        }
        #expect(recorder.take().count == 1)
        #expect(reports.map(\.["Hero"].inserted) == [1, 1, 1])
    }
}

/// What a list of heroes is imported as.
private protocol HeroList: Importable {
    var ids: [Int] { get throws }
}

extension Many: HeroList where Element == Hero {
    fileprivate var ids: [Int] { get throws { try fetch().map(\.id) } }
}

extension LossyList: HeroList where Element == Hero {
    fileprivate var ids: [Int] { get throws { try elements.ids } }
}
