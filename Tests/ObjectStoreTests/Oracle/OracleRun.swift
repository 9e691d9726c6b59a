import Foundation

@testable import LarderObjectStore

/// Runs a program against a store and the oracle side by side.
struct OracleRun {
    let program: OracleProgram
    private let folder: TemporaryFolder?
    private let clock = OracleClock()
    private var configuration = Store.Configuration()
    private var entities: [EntityDescription]
    var world: OracleWorld
    private(set) var store: Store
    private var numbers = OracleNumbers()
    /// What the import of an array that has just been made returns: rows, and the oracle's objects.
    private var listed: (rows: [Int64], objects: [Int])?

    /// Runs a program; nil where its model is none.
    static func outcome(of program: OracleProgram) -> OracleOutcome? {
        guard let model = program.model else { return nil }
        var step = 0
        do {
            var run = try OracleRun(program, model)
            while step < program.steps.count {
                try OracleSlots.with(run.store.model) { try run.take(program.steps[step]) }
                step += 1
            }
            try run.checkIntegrity()
            try OracleSlots.with(run.store.model) { try run.checkExports() }
            try run.store.close()
            return .agreement
        } catch {
            return .disagreement(step: step, "\(error)")
        }
    }

    private init(_ program: OracleProgram, _ model: Model) throws {
        self.program = program
        entities = program.entities
        configuration.evictions = program.evictions
        configuration.shortcuts = program.shortcuts
        if program.isUnchecked { configuration.uncheckedImportSize = 0 }
        configuration.migration.allowedLosses = .all
        configuration.now = { [clock] in clock.now }
        world = OracleWorld(model)
        world.hasRules = program.hasRules
        folder = program.needsFile ? try TemporaryFolder() : nil
        if let folder {
            store = try Store(
                at: folder.file("store.sqlite"), model: model, configuration: configuration)
        } else {
            store = try Store.inMemory(model: model, configuration: configuration)
        }
    }

    private mutating func take(_ step: OracleStep) throws {
        listed = nil
        world.step += 1
        clock.step = world.step
        try takeStep(step)
        let contents = try OracleContents(of: store, as: world)
        try contents.compare()
        if let listed {
            try expect(
                listed.rows, listed.objects.compactMap { contents.places[$0]?.row },
                "the rows of what it returns")
        }
        try numbers.note(contents, of: store)
        try OracleReadings(world: world, contents: contents, store: store).compare()
    }

    private func checkIntegrity() throws {
        let report = try store.checkIntegrity()
        if !report.isSound { throw OracleDisagreement("the store is damaged: \(report.problems)") }
    }

    private mutating func takeStep(_ step: OracleStep) throws {
        switch step {
        case .insert(let entity, let json): try insert(json, as: entity)
        case .insertEach(let entity, let elements): try insertEach(elements, as: entity)
        case .complete(let entity, let json, let whole):
            try complete(json, as: entity, whole)
        case .delete(let entity, let attribute, let value):
            try delete(entity, attribute, value)
        case .evict(let now): try evict(now)
        case .save(let save): try self.save(save)
        case .edit(let edit): try self.edit(edit)
        case .update(let update): try self.update(update)
        case .transaction(let steps, let isTakenBack):
            let lost = try transact(steps, isTakenBack: isTakenBack)
            numbers.lose(lost)
        case .reopen: try open(store.model)
        case .migrate(let changes):
            for index in entities.indices { entities[index].forgetNames() }
            var changed = entities
            for change in changes { change.apply(to: &changed) }
            guard let model = program.model(of: changed) else { return }
            entities = changed
            try open(model)
            world = world.migrated(to: model)
        }
    }

    private mutating func open(_ model: Model) throws {
        guard let folder else { return }
        try store.close()
        numbers.forgetLost()
        store = try Store(
            at: folder.file("store.sqlite"), model: model, configuration: configuration)
    }

    // MARK: Steps

    private mutating func insert(_ json: OracleJSON, as entity: String) throws {
        var rules = OracleImport(world)
        let expected = Result { try rules.map(document: json, as: entity) }
        let result = Result { try stored(json, as: entity) }
        try agree(result, expected)
        guard let imported = try? result.get(), let objects = try? expected.get() else { return }
        world = rules.world
        try expect(imported.objects.count, objects.count, "the number of objects it returns")
        if case .array = json { listed = (imported.objects.rows, objects) }
        try compare(imported.report, rules.tally.report)
        try checkRepetition(of: json, as: entity, by: rules)
    }

    private mutating func complete(
        _ json: OracleJSON, as entity: String, _ whole: OracleWhole
    ) throws {
        var rules = OracleVanishing(world)
        let expected = Result { try rules.complete(json, as: entity, whole) }
        let (schema, longArray) = (world.schema, program.longArray)
        let store = store
        let result = Result {
            try store.write { context in
                try Self.complete(
                    json, as: entity, whole, schema, in: context, longArray: longArray)
                return context.report
            }
        }
        try agree(result, expected)
        guard let report = try? result.get() else { return }
        try expect(
            report.total.deleted, rules.deletedCount, "the number of objects that have gone")
        world = rules.world
    }

    /// The outcome of an import.
    struct Imported {
        let report: ImportReport
        let objects: DynamicObjects
    }

    /// Inserts a document into the store.
    func stored(_ json: OracleJSON, as entity: String) throws -> Imported {
        let root =
            try program.longArray.map { try Self.document(json, longArray: $0).root }
            ?? Data(json.text.utf8).jsonValue
        return try store.write { context in
            let objects = try context.import(entity, from: root)
            return Imported(report: context.report, objects: objects)
        }
    }

    private mutating func insertEach(_ elements: [OracleJSON], as entity: String) throws {
        let expected = OracleLossyImport(of: elements, as: entity, in: world)
        let (schema, document) = (
            world.schema, try Self.document(.array(elements), longArray: program.longArray ?? .max)
        )
        let (found, report) = try store.write { context in
            (try Self.perform(document, as: entity, schema, in: context), context.report)
        }
        world = expected.world
        listed = (found.rows, expected.objects)
        try expect(found.rows.count, expected.objects.count, "the number of objects of the list")
        try expect(found.skipped, expected.skipped, "what the list has left out")
        try compare(report, expected.report)
    }

    private mutating func delete(
        _ entity: String, _ attribute: String?, _ value: SQLValue
    ) throws {
        let found = world.found(entity, where: attribute, is: value)
        let expected = Result { try OracleDeletion(of: found, in: world) }
        let query = Self.query(entity, attribute, value)
        let store = store
        let result = Result {
            try store.write { context in (try context.delete(query), context.report) }
        }
        try agree(result, expected)
        guard let (count, report) = try? result.get(), let deletion = try? expected.get() else {
            return
        }
        try expect(count, deletion.gone.count, "the number of deleted objects")
        var tally = OracleTally()
        for object in deletion.gone { tally.noteDeleted(object, in: world) }
        for object in deletion.emptied { tally.note(object, .updated, in: world) }
        for (entity, count) in deletion.unlinked {
            tally.noteLinks(linked: 0, unlinked: count, of: entity)
        }
        world = deletion.world
        try compare(report, tally.report)
    }

    private mutating func evict(_ now: Double) throws {
        let eviction = try OracleEviction(program.evictions, now: now, in: world)
        let counts = try store.evict(at: Date(timeIntervalSinceReferenceDate: now))
        world = eviction.world
        try expect(counts, eviction.counts, "what was evicted")
    }

    private mutating func save(_ save: OracleSave) throws {
        var rules = OracleSaving(world)
        let expected = Result { try rules.save(save) }
        let result = Result { try report { try Self.perform(save, in: $0) } }
        try finish(result, expected, rules)
    }

    private mutating func edit(_ edit: OracleEdit) throws {
        var rules = OracleSaving(world)
        let expected = Result { try rules.edit(edit) }
        let schema = world.schema
        let result = Result { try report { try Self.perform(edit, schema, in: $0) } }
        try finish(result, expected, rules)
    }

    private mutating func update(_ update: OracleUpdate) throws {
        var rules = OracleUpdating(world)
        let expected = Result { try rules.update(update) }
        let store = store
        let schema = world.schema
        let result = Result {
            try store.write { context in
                (try Self.perform(update, schema, in: context), context.report)
            }
        }
        try agree(result, expected)
        guard let (count, report) = try? result.get() else { return }
        world = rules.world
        try expect(count, rules.count, "the number of updated objects")
        try compare(report, rules.tally.report)
    }

    /// What a transaction has reported.
    private func report(_ body: (Context) throws -> Void) throws -> ImportReport {
        try store.write { context in
            try body(context)
            return context.report
        }
    }

    private mutating func finish(
        _ result: Result<ImportReport, any Error>, _ expected: Result<Void, any Error>,
        _ rules: OracleSaving
    ) throws {
        try agree(result, expected)
        guard let report = try? result.get() else { return }
        world = rules.world
        try compare(report, rules.tally.report)
    }

    // MARK: Comparing

    func agree<Value, Other>(
        _ result: Result<Value, any Error>, _ expected: Result<Other, any Error>
    ) throws {
        switch (result, expected) {
        case (.success, .success), (.failure, .failure): return
        case (.failure(let error), .success):
            throw OracleDisagreement("refused, but should not be: \(error)")
        case (.success, .failure(let error)):
            throw OracleDisagreement("should be refused: \(error)")
        }
    }

    private func compare(
        _ report: ImportReport, _ expected: [String: ImportReport.Counts]
    ) throws {
        let counts = report.entities
        for name in Set(counts.keys).union(expected.keys).sorted() {
            try expect(
                counts[name] ?? .init(), expected[name] ?? .init(), "the report of \(name)")
        }
    }

    private func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, _ place: String
    ) throws {
        if value != expected {
            throw OracleDisagreement("\(place): expected \(expected), found \(value)")
        }
    }
}

extension EntityDescription {
    /// Forgets names of an earlier model: a store that has been migrated does not know them any more.
    fileprivate mutating func forgetNames() {
        for index in attributes.indices { attributes[index].renamedFrom = nil }
    }
}
