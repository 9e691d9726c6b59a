import Foundation
import Testing

@testable import LarderObjectStore

@Entity
private struct Twig {
    @Identity var id: Int
    var name: String?
}

@Entity
private struct Medal {
    @Identity var code: String
    var title: String?
}

private struct Row: Wrapper {
    var rank: Int?
    var note: String?
    @Stored var leaf: Twig?
    @Stored var badges: [Medal]?
    @Stored var rows: [Row]?
}

private struct Page: Wrapper {
    var count: Int
    @Stored var top: Twig?
    @Stored var rows: LossyList<Row>
    @Stored var leaves: Many<Twig>
}

/// A value that is made again is what the document says, with the objects as they are by then: random documents,
/// of which objects are changed, deleted and made again.
///
/// `LARDER_ORACLE_COUNT` is how many such documents there are, 2,000 at most, `LARDER_ORACLE_SEED` the first.
struct SnapshotReplayingTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count =
        environment["LARDER_ORACLE_COUNT"].flatMap(Int.init).map { min($0, 2_000) } ?? 300
    private static let first = environment["LARDER_ORACLE_SEED"].flatMap(Int.init) ?? 0

    /// What has a document of its own in a string.
    private struct Boxed: Importable {
        let leaf: Twig

        static func `import`(from value: JSONValue, in context: Context) throws -> Boxed {
            Boxed(leaf: try context.import(Twig.self, from: value.string ?? ""))
        }
    }

    @Test func `documents in a document can't be told apart, so that nothing is kept of them`()
        throws
    {
        let store = try Store.inMemory(entities: Twig.self, Medal.self)
        let json = try JSONDocument(#"["{\"id\": 1}", "{\"id\": 2}"]"#).root
        var skeleton = ImportSkeleton()
        try store.write { context in
            let boxes = try context.receive([Boxed].self, from: json, as: nil) { parts, _ in
                skeleton = parts
            }
            #expect(boxes.map(\.leaf.id) == [1, 2])
        }
        #expect(!skeleton.isRepeatable)
    }

    // MARK: Documents

    /// What stands where an object may.
    private enum Mention {
        case absent, null
        case bare(Int)
        case object(Int, String?)

        var id: Int? {
            switch self {
            case .absent, .null: nil
            case .bare(let id), .object(let id, _): id
            }
        }

        /// The JSON, without that which leaves out the member.
        func json(_ key: String, _ name: String, isText: Bool) -> String? {
            func value(_ id: Int) -> String { isText ? "\"b\(id)\"" : "\(id)" }
            return switch self {
            case .absent: nil
            case .null: "null"
            case .bare(let id): value(id)
            case .object(let id, let text):
                "{\"\(key)\": \(value(id)), \"\(name)\": \(text.map { "\"\($0)\"" } ?? "null")}"
            }
        }

        var leaf: String? { json("id", "name", isText: false) }
        var badge: String? { json("code", "title", isText: true) }
    }

    private struct Line {
        var rank: Int?
        var isBad = false
        var leaf = Mention.absent
        var badges: [Mention]?
        var lines: [Line]?

        var json: String {
            var members: [String] = []
            if isBad { members.append(#""note": 5"#) }
            if let rank { members.append("\"rank\": \(rank)") }
            if let leaf = leaf.leaf { members.append("\"leaf\": \(leaf)") }
            if let badges {
                let elements = badges.compactMap(\.badge).joined(separator: ", ")
                members.append("\"badges\": [\(elements)]")
            }
            if let lines {
                members.append("\"rows\": [\(lines.map(\.json).joined(separator: ", "))]")
            }
            return "{\(members.joined(separator: ", "))}"
        }
    }

    private struct Sheet {
        var top = Mention.absent
        var lines: [Line] = []
        var leaves: [Mention] = []

        var json: String {
            let top = top.leaf.map { "\"top\": \($0), " } ?? ""
            let rows = lines.map(\.json).joined(separator: ", ")
            let leaves = leaves.compactMap(\.leaf).joined(separator: ", ")
            return "{\"count\": 7, \(top)\"rows\": [\(rows)], \"leaves\": [\(leaves)]}"
        }
    }

    private static func mention(_ random: inout SplitMix64) -> Mention {
        let id = Int.random(in: 1...6, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .absent
        case 1: return .null
        case 2: return .bare(id)
        default: return .object(id, Bool.random(using: &random) ? "n\(id)" : nil)
        }
    }

    private static func line(_ random: inout SplitMix64, depth: Int = 0) -> Line {
        var line = Line()
        if Bool.random(using: &random) { line.rank = Int.random(in: 0..<9, using: &random) }
        line.isBad = depth == 0 && Int.random(in: 0..<5, using: &random) == 0
        line.leaf = mention(&random)
        if Bool.random(using: &random) {
            line.badges = (0..<Int.random(in: 0..<4, using: &random)).map { _ in mention(&random) }
        }
        if depth < 2, Int.random(in: 0..<3, using: &random) == 0 {
            line.lines = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                self.line(&random, depth: depth + 1)
            }
        }
        return line
    }

    private static func sheet(_ random: inout SplitMix64) -> Sheet {
        var sheet = Sheet(top: mention(&random))
        sheet.lines = (0..<Int.random(in: 0..<5, using: &random)).map { _ in line(&random) }
        sheet.leaves = (0..<Int.random(in: 0..<5, using: &random)).map { _ in mention(&random) }
        return sheet
    }

    // MARK: The oracle

    /// What the store has now, and what of a document that makes.
    private struct Oracle {
        var leaves: [Int: String] = [:]
        var badges: [Int: String] = [:]
        /// Those of which the store knows as much as it did, if that was only the identity.
        var (knownLeaves, knownBadges) = (Set<Int>(), Set<Int>())
        /// Those of which it knows no more than that.
        private(set) var (leafReferences, badgeReferences) = (Set<Int>(), Set<Int>())
        var missing = 0

        /// - Parameter former: What there was of the document; nil where this is that.
        init(_ store: Store, after former: Oracle? = nil) throws {
            for leaf in try store.fetch(Twig.all) { leaves[leaf.id] = leaf.name ?? "-" }
            for badge in try store.fetch(Medal.all) {
                badges[Int(badge.code.dropFirst()) ?? 0] = badge.title ?? "-"
            }
            knownLeaves = try Set(
                Self.identities(of: "Twig", "id", in: store).compactMap { Int($0) })
            knownBadges = try Set(
                Self.identities(of: "Medal", "code", in: store).compactMap { Int($0.dropFirst()) })
            leafReferences = knownLeaves.subtracting(leaves.keys)
            badgeReferences = knownBadges.subtracting(badges.keys)
            guard let former else { return }
            knownLeaves.subtract(leafReferences.subtracting(former.leafReferences))
            knownBadges.subtract(badgeReferences.subtracting(former.badgeReferences))
        }

        private static func identities(
            of table: String, _ column: String, in store: Store
        ) throws -> [String] {
            try store.readBeside { tables in
                try tables.rows("SELECT CAST(\"\(column)\" AS TEXT) FROM \"\(table)\"").map {
                    if case .text(let text) = $0[0] { text } else { "" }
                }
            }
        }

        mutating func leaf(_ mention: Mention) -> String {
            guard let id = mention.id else { return "nil" }
            if !knownLeaves.contains(id) { missing += 1 }
            return leaves[id].map { "\(id)\($0)" } ?? "nil"
        }

        mutating func list(
            _ mentions: [Mention], _ objects: [Int: String], _ known: Set<Int>
        ) -> String {
            var seen = Set<Int>()
            var found: [String] = []
            for id in mentions.compactMap(\.id) where seen.insert(id).inserted {
                if !known.contains(id) { missing += 1 }
                if let name = objects[id] { found.append("\(id)\(name)") }
            }
            return "[\(found.joined(separator: " "))]"
        }

        mutating func line(_ line: Line) -> String {
            let leaf = leaf(line.leaf)
            let badges = line.badges.map { list($0, self.badges, knownBadges) } ?? "nil"
            var rows = "nil"
            if let lines = line.lines {
                rows = "[\(lines.map { self.line($0) }.joined(separator: " "))]"
            }
            return "(\(line.rank.map(String.init) ?? "nil") \(leaf) \(badges) \(rows))"
        }

        mutating func sheet(_ sheet: Sheet) -> String {
            let top = leaf(sheet.top)
            let lines = sheet.lines.filter { !$0.isBad }.map { line($0) }
            return
                "7 \(top) [\(lines.joined(separator: " "))] \(list(sheet.leaves, leaves, knownLeaves))"
        }
    }

    private static func text(_ leaf: Twig?) -> String {
        leaf.map { "\($0.id)\($0.name ?? "-")" } ?? "nil"
    }

    private static func text(_ row: Row) -> String {
        let badges = row.badges.map { badges in
            "[\(badges.map { $0.code.dropFirst() + ($0.title ?? "-") }.joined(separator: " "))]"
        }
        let rows = row.rows.map { "[\($0.map { text($0) }.joined(separator: " "))]" }
        return
            "(\(row.rank.map(String.init) ?? "nil") \(text(row.leaf)) \(badges ?? "nil") \(rows ?? "nil"))"
    }

    private static func text(_ page: Page) throws -> String {
        let rows = page.rows.elements.values.map { text($0) }.joined(separator: " ")
        let leaves = try page.leaves.fetch().map { text($0) }.joined(separator: " ")
        return "\(page.count) \(text(page.top)) [\(rows)] [\(leaves)]"
    }

    // MARK: The law

    private static func change(_ store: Store, _ random: inout SplitMix64) throws {
        let id = Int.random(in: 1...6, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: try store.delete(Twig.where { $0.id == id })
        case 1: try store.delete(Medal.where { $0.code == "b\(id)" })
        case 2: try store.save(Twig(id: id, name: "new"))
        case 3: try store.save(Medal(code: "b\(id)", title: "new"))
        case 4: try refer("[\(id)]", to: "Twig", in: store)
        case 5: try refer("[\"b\(id)\"]", to: "Medal", in: store)
        default: try store.save(Medal(code: "other\(id)", title: "x"))
        }
    }

    /// Has a store hear of an object by its identity alone.
    private static func refer(_ json: String, to entity: String, in store: Store) throws {
        let list = try JSONDocument(json).root
        try store.write { _ = try $0.mapElements(of: list, as: entity) }
    }

    @Test func `what is but a reference by now is missing, whatever identifies it`() throws {
        let store = try Store.inMemory(entities: Twig.self, Medal.self)
        let json = try JSONDocument(
            #"[{"code": "a", "title": "A"}, {"code": "b", "title": "B"}]"#
        ).root
        var skeleton = ImportSkeleton()
        try store.write { context in
            _ = try context.receive([Medal].self, from: json, as: nil) { parts, _ in
                skeleton = parts
            }
        }
        try store.delete(Medal.where { $0.code == "b" })
        try Self.refer(#"["b"]"#, to: "Medal", in: store)
        let kept = skeleton
        let again = try store.read {
            try $0.replay([Medal].self, by: kept, from: json, options: DecodingOptions())
        }
        #expect(again.value.map(\.code) == ["a"])
        #expect(again.missingCount == 1)
    }

    @Test(arguments: first..<(first + count))
    func `it is what the document says, with the objects as they are`(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let folder = seed.isMultiple(of: 8) ? try TemporaryFolder() : nil
        defer { withExtendedLifetime(folder) {} }
        let store =
            try folder.map {
                try Store(at: $0.file("x.sqlite"), entities: Twig.self, Medal.self)
            } ?? Store.inMemory(entities: Twig.self, Medal.self)
        for _ in 0..<Int.random(in: 0..<3, using: &random) { try Self.change(store, &random) }
        let sheet = Self.sheet(&random)
        let document = try JSONDocument(sheet.json)
        var skeleton = ImportSkeleton()
        let page = try store.write { context in
            try context.receive(Page.self, from: document.root, as: nil) { parts, context in
                skeleton = parts
                skeleton.digest = try context.digest(of: parts)
            }
        }
        let read = try #require(ImportSkeleton(bytes: skeleton.bytes))
        #expect(read.bytes == skeleton.bytes && read.nested == skeleton.nested)
        #expect(read.digest == skeleton.digest && read.named == skeleton.named)
        #expect(try store.read { try $0.holds(read) })
        // Of which those parts are empty that are objects.
        let rest = try #require(skeleton.rest(of: document.root, atMost: .max))
        #expect(rest.document.count <= sheet.json.utf8.count)
        let former = try Oracle(store)
        for step in 0..<4 {
            if step > 0 { try Self.change(store, &random) }
            let kept = [(read, Data(sheet.json.utf8)), (rest.skeleton, rest.document)]
            for (skeleton, content) in kept {
                let again = try store.read {
                    try $0.replay(
                        Page.self, by: skeleton, from: JSONDocument(content).root,
                        options: DecodingOptions())
                }
                var oracle = try Oracle(store, after: former)
                #expect(
                    try Self.text(again.value) == oracle.sheet(sheet),
                    "seed \(seed), \(sheet.json)")
                #expect(again.missingCount == oracle.missing, "seed \(seed), \(sheet.json)")
                let skipped = again.value.rows.skipped.map(\.path)
                #expect(skipped == page.rows.skipped.map(\.path), "seed \(seed)")
            }
        }
    }

    @Test(arguments: 0..<200)
    func `bytes that are no skeleton's are none, or another's`(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let store = try Store.inMemory(entities: Twig.self, Medal.self)
        var skeleton = ImportSkeleton()
        let sheet = Self.sheet(&random)
        try store.write { context in
            _ = try context.receive(Page.self, from: JSONDocument(sheet.json).root, as: nil) {
                parts, context in
                skeleton = parts
                if seed.isMultiple(of: 2) { skeleton.digest = try context.digest(of: parts) }
            }
        }
        var bytes = skeleton.bytes
        for _ in 0..<20 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where !bytes.isEmpty: bytes.removeLast()
            case 1: bytes.append(UInt8.random(in: 0...255, using: &random))
            default:
                guard let index = bytes.indices.randomElement(using: &random) else { continue }
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            guard let read = ImportSkeleton(bytes: bytes) else { continue }
            _ = try? store.read {
                try $0.replay(
                    Page.self, by: read, from: JSONDocument(sheet.json).root,
                    options: DecodingOptions())
            }
            _ = try? store.read { try $0.holds(read) }
        }
    }
}
