import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Random programs, whose documents are brought back in the end: what is there stays as it is, and all that was
/// linked is, however old the document.
///
/// `LARDER_ORACLE_SEED` is the first seed, `LARDER_ORACLE_COUNT` how many programs there are, 500 at
/// most.
struct RestoringLawTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let firstSeed = environment["LARDER_ORACLE_SEED"].flatMap(UInt64.init) ?? 1
    private static let count = min(
        environment["LARDER_ORACLE_COUNT"].flatMap(Int.init) ?? 200, 500)

    private struct TakenBack: Error {}

    /// What the tables hold: the columns of each object's row, and pairs of rows that are linked.
    private struct Contents {
        struct Place: Hashable {
            let table: String
            let row: Int64
        }

        var objects: [Place: [String: SQLValue]] = [:]
        var links: Set<String> = []

        init(in context: Context) throws {
            let plan = context.store.plan
            for root in plan.roots {
                let names = Set(
                    root.family.members.flatMap { plan.entities[$0].columnNames }
                ).sorted()
                let columns =
                    [root.rowid] + names.map(\.sqlName)
                    + [root.entityColumn.map { "\($0)" } ?? "NULL"]
                let sql =
                    "SELECT \(columns.joined(separator: ", ")) FROM \(root.table) AS t"
                    + " WHERE \(EntityPlan.isMarked(.object, "t"))"
                for values in try context.connection.allRows(sql) {
                    guard case .integer(let row) = values[0] else { continue }
                    objects[Place(table: root.name, row: row)] = Dictionary(
                        uniqueKeysWithValues: zip(names + [""], values.dropFirst()))
                }
            }
            for entity in plan.entities {
                for relationship in entity.toMany {
                    guard case .table = relationship.storage else { continue }
                    let query = LinkQuery(relationship, in: plan)
                    let scope = query.rowScope.map { " WHERE \($0)" } ?? ""
                    let sql =
                        "SELECT l.\(query.source), l.\(query.target) FROM \(query.table) AS l\(scope)"
                    for values in try context.connection.allRows(sql) {
                        links.insert("\(entity.name).\(relationship.name) \(values)")
                    }
                }
            }
        }

        /// What is not any more as it was in other contents, where nothing may be but an empty link.
        func differences(from before: Contents, links linkColumns: Set<String>) -> [String] {
            var differences = before.links.subtracting(links).sorted()
            for (place, values) in before.objects {
                guard let now = objects[place] else {
                    differences.append("\(place) is gone")
                    continue
                }
                for (name, value) in values where now[name] != value {
                    if value == .null, linkColumns.contains(name) { continue }
                    differences.append(
                        "\(place).\(name) was \(value), is \(now[name] ?? .null)")
                }
            }
            return differences
        }
    }

    @Test func `what is brought back leaves what is there`() async throws {
        var (restored, refused) = (0, 0)
        for offset in 0..<Self.count {
            // Others that run in the same few threads wait for one program at most.
            await Task.yield()
            let seed = Self.firstSeed &+ UInt64(offset)
            var programs = OraclePrograms(seed: seed)
            let program = programs.program()
            guard let model = program.model else { continue }
            let differences = try OracleSlots.with(model) {
                try Self.run(program, model, &restored, &refused)
            }
            if let first = differences.first {
                Issue.record("seed \(seed): \(first)\n\(program)")
                break
            }
        }
        #expect(restored > Self.count / 3)
        print("restoring: \(restored) documents brought back, \(refused) refused")
    }

    /// Runs a program, brings each of its documents back by itself, and says what that has changed.
    private static func run(
        _ program: OracleProgram, _ model: Model, _ restored: inout Int, _ refused: inout Int
    ) throws -> [String] {
        var configuration = Store.Configuration()
        configuration.shortcuts = program.shortcuts
        if program.isUnchecked { configuration.uncheckedImportSize = 0 }
        let store = try Store.inMemory(model: model, configuration: configuration)
        let schema = OracleSchema(model)
        var documents: [Document] = []
        for step in program.steps {
            do {
                try store.write { try perform(step, schema, in: $0) }
                if case .insert(let entity, let json) = step { documents.append((entity, json)) }
            } catch {
                // What can't be done is none of the law's.
            }
        }
        for (index, document) in documents.enumerated() {
            // As it is, and where an entity's objects have gone and a newer document has come.
            for gone in [nil] + schema.names.map({ Optional($0) }) {
                let newer = documents[(index + 1) % documents.count]
                let differences = try differences(
                    by: document, without: gone, behind: newer, program, in: store, &restored,
                    &refused)
                if !differences.isEmpty {
                    return differences.map { "\(document.entity) \(document.json.text): \($0)" }
                }
            }
        }
        return []
    }

    private typealias Document = (entity: String, json: OracleJSON)

    /// What bringing a document back changes, once the objects of an entity have gone and another document has come;
    /// all of it is taken back.
    private static func differences(
        by document: Document, without gone: String?, behind newer: Document,
        _ program: OracleProgram, in store: Store, _ restored: inout Int, _ refused: inout Int
    ) throws -> [String] {
        var differences: [String] = []
        do {
            try store.write { context in
                if let gone {
                    _ = try? context.savepoint { try context.delete(DynamicQuery(gone)) }
                    _ = try? context.savepoint {
                        try context.import(newer.entity, from: JSONDocument(newer.json.text).root)
                    }
                }
                let before = try Contents(in: context)
                let root = try OracleRun.document(document.json, longArray: program.longArray).root
                _ = try context.imports.restoring {
                    try context.import(document.entity, from: root)
                }
                let after = try Contents(in: context)
                let plan = context.store.plan
                let columns = plan.entities.flatMap { $0.columnNames.dropFirst($0.attributeCount) }
                differences = after.differences(from: before, links: Set(columns))
                throw TakenBack()
            }
        } catch is TakenBack {
            restored += 1
        } catch {
            refused += 1
        }
        return differences
    }

    private static func perform(
        _ step: OracleStep, _ schema: OracleSchema, in context: Context
    ) throws {
        switch step {
        case .insert(let entity, let json):
            _ = try context.import(entity, from: JSONDocument(json.text).root)
        case .delete(let entity, let attribute, let value):
            try context.delete(OracleRun.query(entity, attribute, value))
        case .save(let save): try OracleRun.perform(save, in: context)
        case .edit(let edit): try OracleRun.perform(edit, schema, in: context)
        case .update(let update): _ = try OracleRun.perform(update, schema, in: context)
        case .insertEach, .complete, .transaction, .evict, .reopen, .migrate: break
        }
    }
}
