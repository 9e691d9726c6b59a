import Foundation

@testable import LarderObjectStore

/// What a transaction is taken back by.
private struct OracleTakenBack: Error {}

extension OracleRun {
    /// Runs steps as one transaction, and returns the rows that it has made if it is taken back.
    mutating func transact(
        _ steps: [OracleStep], isTakenBack: Bool
    ) throws -> Set<OracleContents.Place> {
        var inside = world
        var lost: Set<OracleContents.Place> = []
        do {
            try store.write { context in
                try perform(steps, isTakenBack, on: &inside, in: context, lost: &lost)
            }
            world = inside
        } catch is OracleTakenBack {
            world.skip(to: inside)
        }
        return lost
    }

    /// Runs a transaction's steps, and throws where it is to be taken back.
    private func perform(
        _ steps: [OracleStep], _ isTakenBack: Bool, on world: inout OracleWorld,
        in context: Context, lost: inout Set<OracleContents.Place>
    ) throws {
        let before = try Self.rows(in: context)
        try perform(steps, on: &world, in: context, lost: &lost)
        if isTakenBack {
            lost.formUnion(try Self.rows(in: context).subtracting(before))
            throw OracleTakenBack()
        }
    }

    private func perform(
        _ steps: [OracleStep], on world: inout OracleWorld, in context: Context,
        lost: inout Set<OracleContents.Place>
    ) throws {
        for step in steps {
            if case .transaction(let steps, let isTakenBack) = step {
                var inside = world
                do {
                    try context.savepoint {
                        try perform(steps, isTakenBack, on: &inside, in: context, lost: &lost)
                    }
                    world = inside
                } catch is OracleTakenBack {
                    world.skip(to: inside)
                }
                continue
            }
            let expected = Result { try Self.outcome(of: step, in: world) }
            let result = Result { try perform(step, world.schema, in: context) }
            do {
                try agree(result, expected)
            } catch let disagreement as OracleDisagreement {
                throw OracleDisagreement("\(step): \(disagreement.description)")
            }
            if case .success(let outcome) = expected { world = outcome }
        }
    }

    /// The rows whose numbers belong to objects as long as somebody may know them.
    private static func rows(in context: Context) throws -> Set<OracleContents.Place> {
        var places: Set<OracleContents.Place> = []
        for root in context.store.plan.roots where root.hasOwnNumbers {
            for row in try context.connection.allRows("SELECT \(root.rowid) FROM \(root.table)") {
                if case .integer(let row) = row[0] {
                    places.insert(.init(root: root.name, row: row))
                }
            }
        }
        return places
    }

    // MARK: The oracle

    private static func outcome(of step: OracleStep, in world: OracleWorld) throws -> OracleWorld {
        switch step {
        case .insert(let entity, let json):
            var rules = OracleImport(world)
            _ = try rules.map(document: json, as: entity)
            return rules.world
        case .insertEach(let entity, let elements):
            return OracleLossyImport(of: elements, as: entity, in: world).world
        case .complete(let entity, let json, let whole):
            var rules = OracleVanishing(world)
            try rules.complete(json, as: entity, whole)
            return rules.world
        case .delete(let entity, let attribute, let value):
            return try OracleDeletion(
                of: world.found(entity, where: attribute, is: value), in: world
            ).world
        case .save(let save):
            var rules = OracleSaving(world)
            try rules.save(save)
            return rules.world
        case .edit(let edit):
            var rules = OracleSaving(world)
            try rules.edit(edit)
            return rules.world
        case .update(let update):
            var rules = OracleUpdating(world)
            try rules.update(update)
            return rules.world
        case .transaction, .evict, .reopen, .migrate: return world
        }
    }

    // MARK: The store

    private func perform(
        _ step: OracleStep, _ schema: OracleSchema, in context: Context
    ) throws {
        switch step {
        case .insert(let entity, let json):
            _ = try context.import(
                entity, from: Self.document(json, longArray: program.longArray).root)
        case .insertEach(let entity, let elements):
            let document = try Self.document(
                .array(elements), longArray: program.longArray ?? .max)
            _ = try Self.perform(document, as: entity, schema, in: context)
        case .complete(let entity, let json, let whole):
            try Self.complete(
                json, as: entity, whole, schema, in: context, longArray: program.longArray)
        case .delete(let entity, let attribute, let value):
            try context.delete(Self.query(entity, attribute, value))
        case .save(let save): try Self.perform(save, in: context)
        case .edit(let edit): try Self.perform(edit, schema, in: context)
        case .update(let update): _ = try Self.perform(update, schema, in: context)
        case .transaction, .evict, .reopen, .migrate: break
        }
    }

    static func complete(
        _ json: OracleJSON, as entity: String, _ whole: OracleWhole, _ schema: OracleSchema,
        in context: Context, longArray: Int?
    ) throws {
        let root = try document(json, longArray: longArray).root
        let sign = try JSONDocument(#"{"more": \#(!whole.isWhole)}"#).root
        let completeness = completeness(whole, schema).unless("more").allowingEmptying()
        try context.savepoint {
            try context.completing(completeness, by: sign, at: root) {
                _ = try context.import(entity, from: root)
            }
        }
    }

    private static func completeness(
        _ whole: OracleWhole, _ schema: OracleSchema
    ) -> Completeness {
        switch whole.scope {
        case .found(let entity, let attribute, let value):
            func query<Place: OraclePlace>(_ place: Place.Type) -> Completeness {
                typealias Slot = OracleSlot<Place>
                guard let attribute else { return .whole(Slot.all) }
                return .whole(
                    Slot.where { columns in
                        switch value {
                        case .integer(let value): columns[attribute, as: Int64.self] == value
                        case .text(let value): columns[attribute, as: String.self] == value
                        default: columns[attribute, as: String?.self].isNil
                        }
                    })
            }
            return query(OracleSlots.place(of: entity))
        case .linked(let entity, let identity, let name):
            let destination =
                schema[entity].manys.first { $0.name == name }?.destination ?? entity
            return Completeness(scopes: [
                .init(
                    entity: destination,
                    objects: .relationship(name, of: .identity(identity), entity: entity),
                    mark: nil)
            ])
        }
    }

    static func document(_ json: OracleJSON, longArray: Int?) throws -> JSONDocument {
        guard let longArray else { return try JSONDocument(json.text) }
        return try JSONDocument(mapped: json.text.utf8, longArray: longArray)
    }

    static func query(_ entity: String, _ attribute: String?, _ value: SQLValue) -> DynamicQuery {
        let query = DynamicQuery(entity)
        guard let attribute else { return query }
        return switch value {
        case .integer(let number): query.where(attribute, is: number)
        case .text(let text): query.where(attribute, is: text)
        default: query.where(attribute, is: String?.none)
        }
    }

    static func perform(_ save: OracleSave, in context: Context) throws {
        func run<Place: OraclePlace>(_ place: Place.Type) throws {
            try context.save(OracleSlot<Place>(save))
        }
        try run(OracleSlots.place(of: save.entity))
    }

    /// Imports a list and returns the rows of what fits, and where in it something was left out.
    static func perform(
        _ document: JSONDocument, as entity: String, _ schema: OracleSchema, in context: Context
    ) throws -> (rows: [Int64], skipped: [Int]) {
        func run<Place: OraclePlace>(_ place: Place.Type) throws -> ([Int64], [Int]) {
            let list = try context.import(LossyList<OracleSlot<Place>>.self, from: document)
            guard case .rows(let rows, _, _) = list.elements.content else { return ([], []) }
            let places = list.skipped.map { left in
                Int(left.path.dropFirst(2).prefix { $0 != "]" }) ?? -1
            }
            return (rows, places)
        }
        return try run(OracleSlots.place(of: entity))
    }

    static func perform(
        _ edit: OracleEdit, _ schema: OracleSchema, in context: Context
    ) throws {
        let toOne = schema[edit.entity].ones.contains { $0.name == edit.relationship }
        func run<Place: OraclePlace>(_ place: Place.Type) throws {
            typealias Slot = OracleSlot<Place>
            let owner = Slot.one(edit.identity)
            if toOne {
                guard case .lead(let identity) = edit.action else { return }
                return try context.edit(\.[one: edit.relationship], of: owner)
                    .set(identity.map(Slot.one))
            }
            let editor = try context.edit(\.[many: edit.relationship], of: owner)
            switch edit.action {
            case .add(let identities): try editor.add(Slot.many(identities))
            case .remove(let identity): try editor.remove(Slot.one(identity))
            case .removeAll: try editor.removeAll()
            case .set(let identities): try editor.set(Slot.many(identities))
            case .move(let identity, let index): try editor.move(Slot.one(identity), to: index)
            case .lead: break
            }
        }
        try run(OracleSlots.place(of: edit.entity))
    }

    static func perform(
        _ update: OracleUpdate, _ schema: OracleSchema, in context: Context
    ) throws -> Int {
        func run<Place: OraclePlace>(_ place: Place.Type) throws -> Int {
            typealias Slot = OracleSlot<Place>
            let query =
                update.condition.map { condition in
                    Slot.where { columns in
                        switch condition.value {
                        case .integer(let value):
                            columns[condition.attribute, as: Int64.self] == value
                        case .text(let value):
                            columns[condition.attribute, as: String.self] == value
                        default: columns[condition.attribute, as: String?.self].isNil
                        }
                    }
                } ?? Slot.all
            return try context.update(query) { columns in
                assignment(of: update, schema, columns)
            }
        }
        return try run(OracleSlots.place(of: update.entity))
    }

    private static func assignment<Place: OraclePlace>(
        of update: OracleUpdate, _ schema: OracleSchema, _ columns: OracleSlot<Place>.Columns
    ) -> ColumnAssignment {
        let name = update.attribute
        let isSingle = name.hasPrefix(OracleNames.single)
        let type = schema[update.entity].attribute(name)?.type
        return switch update.change {
        case .increment(.integer(let number)): columns[name, as: Int64.self].increment(by: number)
        case .increment(.real(let number)) where isSingle:
            columns[name, as: Float.self].increment(by: Float(number))
        case .increment(.real(let number)): columns[name, as: Double.self].increment(by: number)
        case .set(.integer(let number)) where type == .boolean:
            columns[name, as: Bool.self].set(number != 0)
        case .set(.integer(let number)): columns[name, as: Int64.self].set(number)
        case .set(.real(let number)) where isSingle:
            columns[name, as: Float.self].set(Float(number))
        case .set(.real(let number)) where type == .date:
            columns[name, as: Date.self].set(Date(timeIntervalSinceReferenceDate: number))
        case .set(.real(let number)): columns[name, as: Double.self].set(number)
        case .set(.text(let text)): columns[name, as: String.self].set(text)
        case .set, .increment: columns[name, as: String?.self].set(String?.none)
        }
    }
}

extension OracleWorld {
    /// The objects of an entity of which an attribute, if one is named, has a value.
    func found(_ entity: String, where attribute: String?, is value: SQLValue) -> Set<Int> {
        Set(
            objects.keys.filter { key in
                isComplete(key) && schema.isEntity(self.entity(of: key).name, entity)
                    && (attribute.map { objects[key]?.values[$0] ?? .null == value } ?? true)
            })
    }
}
