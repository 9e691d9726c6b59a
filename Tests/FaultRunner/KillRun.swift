import Foundation
import LarderObjectStore

/// Kills a process that writes to a store, at random moments, and looks at what it leaves.
struct KillRun {
    private var generator: Generator
    private let workplace: Workplace

    init(seed: UInt64) throws {
        generator = Generator(state: seed)
        workplace = try Workplace()
    }

    /// Kills imports and deletions; returns how many transactions were acknowledged.
    ///
    /// - Throws: `Wrong` where an acknowledged transaction is lost, one is there in part, or the
    ///   file is damaged.
    mutating func killWriters(_ count: Int) throws -> Int {
        var last = 0
        var acknowledged = 0
        for round in 1...count {
            let child = try Child(["writer", workplace.path])
            for _ in 0..<generator.next(below: 6) {
                guard let line = child.line() else { break }
                last = Int(line) ?? last
                acknowledged += 1
            }
            spin(microseconds: generator.next(below: round % 4 == 0 ? 60_000 : 6_000))
            for line in child.kill() {
                last = Int(line) ?? last
                acknowledged += 1
            }
            last = try inspect(after: last, round)
        }
        return acknowledged
    }

    /// What the n-th transaction of a writer leaves: two insert a batch each, the third deletes.
    static func batches(after n: Int) -> Set<Int> {
        var batches: Set<Int> = []
        for step in 1..<(n + 1) {
            if step % 3 == 0 { batches.subtract(deleted(at: step)) } else { batches.insert(step) }
        }
        return batches
    }

    /// The batches that a deleting transaction deletes: a young one and an old one.
    static func deleted(at step: Int) -> [Int] { [step - 2, step - 31] }

    /// The store is as after the last transaction that was acknowledged, or after the one behind.
    private func inspect(after last: Int, _ round: Int) throws -> Int {
        let place = "kill \(round), after transaction \(last)"
        guard FileManager.default.fileExists(atPath: workplace.path) else {
            if last == 0 { return 0 }
            throw Wrong("\(place): the store is gone")
        }
        let database = Database(path: workplace.path)
        if let damage = try database.damage() { throw Wrong("\(place): \(damage)") }
        let store = try Library.open(workplace.path)
        defer { try? store.close() }
        let rows = try database.rows(
            "SELECT batch, count(*) FROM Book GROUP BY batch ORDER BY batch")
        let found = Set(rows.compactMap { Int($0.prefix { $0 != "|" }) })
        guard rows.allSatisfy({ $0.hasSuffix("|\(Writer.batchSize)") }) else {
            throw Wrong("\(place): torn: \(rows)")
        }
        if found == Self.batches(after: last) { return last }
        if found == Self.batches(after: last + 1) { return last + 1 }
        throw Wrong("\(place): lost: \(found.sorted())")
    }

    /// How migrations had come along when they were killed.
    struct Migrations {
        /// How many had copied rows, but were not done.
        var begun = 0
        /// How many were done.
        var done = 0
    }

    /// Kills migrations: some time after each of the words that one says on its way, up to the next.
    mutating func killMigrations(_ count: Int) throws -> Migrations {
        try Scenario.prepareLibrary(workplace)
        let store = try Library.open(workplace.path)
        try store.import(Many<Book>.self, from: Library.books(0..<2_000))
        try store.close()
        let template = try workplace.files()
        let pauses = try migrationPauses(on: template)
        var migrations = Migrations()
        for round in 1...count {
            try workplace.put(template)
            let child = try Child(["migrate", workplace.path])
            let last = generator.next(below: pauses.count)
            var words = (0...last).compactMap { _ in child.line() }
            spin(microseconds: generator.next(below: pauses[last]))
            words += child.kill()
            let isMigrated = try inspectMigration("kill \(round)")
            if words.contains(Writer.migrated), !isMigrated {
                throw Wrong("kill \(round): the migration is lost")
            }
            if isMigrated {
                migrations.done += 1
            } else if words.contains(Writer.copying) {
                migrations.begun += 1
            }
        }
        return migrations
    }

    /// How long a migration that is left alone says nothing after each of its words, in
    /// microseconds.
    private func migrationPauses(on template: [String: Data]) throws -> [Int] {
        try workplace.put(template)
        let child = try Child(["migrate", workplace.path])
        var words: [String] = []
        var times: [ContinuousClock.Instant] = []
        while let word = child.line() {
            words.append(word)
            times.append(.now)
        }
        times.append(.now)
        _ = child.kill()
        guard words.last == Writer.migrated, words.contains(Writer.copying) else {
            throw Wrong("a migration that is left alone says \(words)")
        }
        return zip(times, times.dropFirst()).map { max(Int(($1 - $0) / .microseconds(1)), 1) }
    }

    private func inspectMigration(_ place: String) throws -> Bool {
        let database = Database(path: workplace.path)
        if let damage = try database.damage() { throw Wrong("\(place): \(damage)") }
        let columns = try database.rows("SELECT name FROM pragma_table_info('Book')")
        guard columns.contains("heading") != columns.contains("title") else {
            throw Wrong("\(place): half migrated: \(columns)")
        }
        guard try database.rows("SELECT count(*) FROM Book") == ["2000"] else {
            throw Wrong("\(place): books are lost")
        }
        try Library.openLater(workplace.path).close()
        return columns.contains("heading")
    }

}

/// Lets time pass without giving the processor away for longer than was asked.
func spin(microseconds: Int) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end {}
}
