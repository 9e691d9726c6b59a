import Testing

@testable import LarderObjectStore

/// Random transactions: whatever differs in the database afterwards has been told.
struct ChangeLogRandomTests {
    @Test(arguments: 0..<40)
    func `whatever a transaction changes is told`(_ seed: UInt64) throws {
        let store = try Comics.store()
        let names = TableNames(store.plan)
        let recorder = ChangeRecorder(store)
        var random = SplitMix64(seed: seed)
        for _ in 0..<25 {
            let before = try state(of: store)
            let isRolledBack = try transaction(on: store, by: &random)
            let after = try state(of: store)
            let told = recorder.take()
            #expect(told.count <= 1)
            if isRolledBack { #expect(told.isEmpty) }
            for (table, name) in Self.objects {
                let change = names.number(named: table).flatMap { told.first?.tables[$0] }
                compare(
                    before[table, default: [:]], after[table, default: [:]], with: change, name)
            }
            if before["Hero.powers"] != after["Hero.powers"] {
                let links = try #require(names.number(named: "Hero.powers"))
                #expect(told.first?.links.contains(links) == true)
            }
        }
    }

    private func compare(
        _ before: [Int64: [SQLValue]], _ after: [Int64: [SQLValue]], with change: Changes.Table?,
        _ columnCount: Int
    ) {
        for row in Set(before.keys).union(after.keys) where before[row] != after[row] {
            #expect(change?.rows.rows?.contains(row) == true, "row \(row)")
            // A row that was deleted and inserted again is another one.
            if change?.hasOtherRows == true { continue }
            guard let old = before[row], let new = after[row] else {
                Issue.record("row \(row) was only updated")
                continue
            }
            for column in 0..<columnCount where old[column] != new[column] {
                #expect(change?.columns.contains(column) == true, "column \(column)")
            }
        }
    }

    /// The tables of objects and how many columns they have.
    private static let objects = ["Publisher": 3, "Hero": 7, "Power": 2]

    /// The values of all rows by their numbers; those of links by any number that tells them apart.
    private func state(of store: Store) throws -> [String: [Int64: [SQLValue]]] {
        try store.writer.run { connection, _ in
            [
                "Publisher": try rows("SELECT id, id, name, founded FROM Publisher", 3, connection),
                "Hero": try rows(
                    "SELECT id, id, name, realName, strength, isActive, publisher, mentor FROM Hero",
                    7, connection),
                "Power": try rows("SELECT \"$id\", id, name FROM Power", 2, connection),
                "Hero.powers": try rows(
                    #"SELECT source * 1000 + target, * FROM "Hero.powers""#, 3, connection),
            ]
        }
    }

    private func rows(
        _ sql: String, _ count: Int32, _ connection: Connection
    ) throws -> [Int64: [SQLValue]] {
        let statement = try connection.prepare(sql)
        defer { statement.reset() }
        var rows: [Int64: [SQLValue]] = [:]
        while try statement.step() {
            rows[statement.integer(at: 0)] = (1...count).map { statement.value(at: $0) }
        }
        return rows
    }

    // MARK: Random transactions

    private struct Refusal: Error {}

    /// Runs one and says whether it was rolled back.
    private func transaction(on store: Store, by random: inout SplitMix64) throws -> Bool {
        var steps: [Step] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) { steps.append(.random(by: &random)) }
        let isRolledBack = Int.random(in: 0..<8, using: &random) == 0
        do {
            try store.transaction { connection, statements in
                let context = Context(store: store, connection: connection, statements: statements)
                defer { context.close() }
                for step in steps {
                    // Some identities are refused; what was written before them is taken back.
                    try? step.run(in: context, on: connection)
                }
                if isRolledBack { throw Refusal() }
            }
            return false
        } catch is Refusal {
            return true
        } catch let error as StoreError where error.reason == .constraint {
            return true
        }
    }

    private enum Step {
        case json(entity: String, String)
        case sql(String)

        static func random(by random: inout SplitMix64) -> Step {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: .json(entity: "Hero", hero(by: &random, depth: 2))
            case 5..<7: .json(entity: "Publisher", publisher(by: &random))
            case 7: .sql("DELETE FROM Hero WHERE id = \(id(by: &random))")
            case 8: .sql("DELETE FROM Publisher WHERE id = \(id(by: &random))")
            default: .sql("UPDATE Hero SET strength = 1 WHERE id < \(id(by: &random))")
            }
        }

        func run(in context: Context, on connection: Connection) throws {
            switch self {
            case .sql(let sql):
                try connection.execute(sql)
            case .json(let entity, let json):
                let root = try JSONDocument(json).root
                try connection.execute("SAVEPOINT s")
                do {
                    _ = try context.map(root, as: entity)
                    try connection.execute("RELEASE s")
                } catch {
                    try connection.execute("ROLLBACK TO s; RELEASE s")
                }
            }
        }

        private static func id(by random: inout SplitMix64) -> Int {
            Int.random(in: 1...8, using: &random)
        }

        private static func hero(by random: inout SplitMix64, depth: Int) -> String {
            var members = [#""id": \#(id(by: &random))"#]
            func flips() -> Bool { Bool.random(using: &random) }
            if flips() { members.append(#""name": "\#(id(by: &random))""#) }
            if flips() { members.append(#""strength": \#(id(by: &random))"#) }
            if flips() {
                let powers = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    #"{"id": "p\#(id(by: &random))", "name": "\#(id(by: &random))"}"#
                }
                members.append(#""powers": [\#(powers.joined(separator: ","))]"#)
            }
            if flips() { members.append(#""publisher": \#(id(by: &random))"#) }
            if depth > 0, flips() {
                members.append(#""mentor": \#(hero(by: &random, depth: depth - 1))"#)
            }
            return "{\(members.joined(separator: ","))}"
        }

        private static func publisher(by random: inout SplitMix64) -> String {
            let heroes = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? "\(id(by: &random))" : hero(by: &random, depth: 1)
            }
            return """
                {"id": \(id(by: &random)), "name": "\(id(by: &random))",
                 "heroes": [\(heroes.joined(separator: ","))]}
                """
        }
    }
}
