/// Writes objects into a transaction, with what they are linked to.
struct ObjectWriter {
    /// The requirement on an object before it is written.
    enum Mode {
        /// Nothing: it is inserted or updated.
        case save
        /// It is not in the store.
        case insert
        /// It is in the store.
        case update
    }

    let context: Context

    var connection: Connection { context.connection }
    var plan: StorePlan { context.store.plan }
    var rows: RowWriter { context.rows }

    /// The limit on the nesting of objects that are made inside each other.
    private static let maximumDepth = 256

    /// Writes an object and returns its row.
    @discardableResult
    func write<Object: Entity>(
        _ object: Object, _ mode: Mode = .save, depth: Int = 0
    ) throws -> Int64 {
        guard depth < Self.maximumDepth else {
            throw WritingError(entity: Object.entityName, reason: .tooDeep)
        }
        let entity = try plan.entity(Object.entityName)
        let values = try EntityValues(of: object)
        try check(mode, values, of: entity)
        let row = try writeRow(try columns(of: values, as: entity, depth: depth))
        for (name, links) in values.toMany {
            try writeLinks(name, links, of: row, as: entity, depth: depth)
        }
        return row
    }

    private func check(_ mode: Mode, _ values: EntityValues, of entity: EntityPlan) throws {
        guard mode != .save else { return }
        let identity = values.identity
        let row = try identity.flatMap { try find($0, in: entity) }
        switch mode {
        case .insert:
            // A reference is filled: the object itself was never there.
            guard let row, try rows.isComplete(row, of: entity) else { return }
            throw WritingError(entity: entity.name, reason: .taken)
        default:
            guard identity != nil else {
                throw WritingError(entity: entity.name, reason: .notIdentifiable)
            }
            guard let row, try rows.isComplete(row, of: entity) else {
                throw StoreError.missingObject(of: entity)
            }
        }
    }

    // MARK: Columns

    /// The values of an entity's columns; nil for those that the object does not hand over.
    private func columns(
        of values: EntityValues, as entity: EntityPlan, depth: Int
    ) throws -> ObjectRow {
        var columns = [SQLValue?](repeating: nil, count: entity.columnCount)
        for (name, value) in values.namedAttributes {
            guard let value else { continue }
            let column = try column(name, of: entity)
            try checkIsAllowed(value, in: column, of: entity)
            columns[column] = value
        }
        for (name, link) in values.namedLinks {
            guard let link else { continue }
            let column = try column(name, of: entity)
            let destination = entity.columns[column].destination
            guard destination >= 0 else { throw unknown(name, of: entity) }
            let row = try row(of: link, in: plan.entities[destination], depth: depth)
            columns[column] = row.map(SQLValue.integer) ?? .null
        }
        for (index, value) in columns.enumerated()
        where value == .some(.null) && !entity.columns[index].isOptional {
            throw WritingError(
                entity: entity.name, attribute: entity.columnNames[index], reason: .missing)
        }
        return ObjectRow(columns, of: entity)
    }

    private func column(_ name: String, of entity: EntityPlan) throws -> Int {
        guard let column = entity.columnNames.firstIndex(of: name) else {
            throw unknown(name, of: entity)
        }
        return column
    }

    // MARK: Rows

    private func writeRow(_ values: ObjectRow) throws -> Int64 {
        let entity = values.entity
        let named = values.named
        let isWhole = named.isSuperset(of: entity.required)
        let written = try rows.write(named, of: values, asReference: !isWhole)
        let (outcome, concrete) = (written.outcome, written.entity)
        context.count(concrete.name) { $0.note(outcome.kind) }
        if concrete !== entity || !isWhole,
            let missing = try rows.complete(
                outcome.row, of: concrete, besides: named.intersection(entity.defaultColumns)
            ).missing
        {
            throw values.error(.missing(missing, concrete))
        }
        if outcome.kind != .unchanged { context.expectRules(of: outcome.row, as: concrete) }
        return outcome.row
    }

    /// Runs a statement; a constraint that refuses the row is the object's fault.
    func run(_ statement: Statement, of entity: EntityPlan) throws {
        do {
            try statement.run()
        } catch let failure where failure.reason == .constraint {
            throw WritingError(entity: entity.name, reason: .refused(failure.message))
        }
    }

    /// Steps a statement; a constraint that refuses a row is the object's fault.
    func step(_ statement: Statement, of entity: EntityPlan) throws -> Bool {
        do {
            return try statement.step()
        } catch let failure where failure.reason == .constraint {
            throw WritingError(entity: entity.name, reason: .refused(failure.message))
        }
    }

    // MARK: Other objects

    /// The row that a link leads to, which is made where there is none; nil for no link.
    func row(
        of link: EntityValues.Link, in destination: EntityPlan, depth: Int = 0
    ) throws -> Int64? {
        switch link {
        case .identity(let values):
            return try find(values, in: destination) ?? reference(values, to: destination)
        case .object(let object, let made):
            if let made, let known = context.made[ObjectIdentifier(made)] { return known.row }
            let row = try rowOrSaved(object, depth: depth)
            if let made { context.made[ObjectIdentifier(made)] = (made, row) }
            return row
        case .none, .row:
            return try existingRow(of: link, in: destination)
        }
    }

    /// The row that a link leads to, nil where it is not in the store.
    func existingRow(
        of link: EntityValues.Link, in destination: EntityPlan
    ) throws -> Int64? {
        switch link {
        case .none: return nil
        case .row(let row, let store):
            guard store === context.store else {
                throw WritingError(entity: destination.name, reason: .otherStore)
            }
            let find = try connection.prepare(
                "SELECT 1 FROM \(destination.table) AS t WHERE t.\(destination.rowid) = ?"
                    + (destination.rowScope("t").map { " AND \($0)" } ?? ""))
            find.bind(row, at: 1)
            defer { find.reset() }
            guard try find.step() else { throw StoreError.missingObject(of: destination) }
            return row
        case .identity(let values):
            return try find(values, in: destination)
        case .object(let object, _):
            return try existingRow(of: object)
        }
    }

    /// The row of an object, nil where it is not in the store.
    func existingRow<Object: Entity>(of object: Object) throws -> Int64? {
        let entity = try plan.entity(Object.entityName)
        guard let identity = try EntityValues(of: object).identity else {
            throw WritingError(entity: entity.name, reason: .notIdentifiable)
        }
        return try find(identity, in: entity)
    }

    /// An object that the store has stays as it is; one that it lacks is saved.
    private func rowOrSaved<Object: Entity>(_ object: Object, depth: Int) throws -> Int64 {
        let entity = try plan.entity(Object.entityName)
        if let identity = try EntityValues(of: object).identity,
            let row = try find(identity, in: entity), try rows.isComplete(row, of: entity)
        {
            return row
        }
        return try write(object, depth: depth + 1)
    }

    /// Makes the row of a reference to an object that is not there yet.
    private func reference(_ identity: [SQLValue], to entity: EntityPlan) throws -> Int64 {
        let values = try ordered(identity, of: entity)
        for (column, value) in zip(entity.identifying.columns, values) {
            try checkIsAllowed(value, in: column, of: entity)
        }
        let row = ObjectRow(identity: values, of: entity)
        let outcome = try rows.writeReference(row).outcome
        if outcome.kind == .inserted { context.count(entity.name) { $0.inserted += 1 } }
        return outcome.row
    }

    private func writeLinks(
        _ name: String, _ links: EntityValues.Links, of owner: Int64, as entity: EntityPlan,
        depth: Int
    ) throws {
        guard let index = entity.toMany.firstIndex(where: { $0.name == name }) else {
            throw unknown(name, of: entity)
        }
        let destination = plan.entities[entity.toMany[index].destination]
        let writer = LinkWriter(context: context, entity: entity, index: index, owner: owner)
        if let source = try source(of: links, destination),
            source.entity.table == entity.table, source.relationship.name == name,
            source.owner == owner || source.isExclusive
        {
            // Those that it has anyway, or those of another owner, who alone can have them.
            return
        }
        if let rows = try rows(of: links, in: destination, depth: depth) {
            try writer.set(rows)
        }
    }

    /// The rows of listed objects, nil where nobody says which.
    ///
    /// - Parameter isMaking: Whether those that are not there are made, and not left out.
    func rows(
        of links: EntityValues.Links, in destination: EntityPlan, isMaking: Bool = true,
        depth: Int = 0
    ) throws -> [Int64]? {
        if case .listed(let links) = links {
            var list = RowList(capacity: links.count)
            for link in links {
                let row: Int64?
                if isMaking {
                    row = try self.row(of: link, in: destination, depth: depth)
                } else if case .row(let known, let store) = link, store === context.store {
                    // It may have gone.
                    row = known
                } else {
                    row = try existingRow(of: link, in: destination)
                }
                if let row { list.append(row) }
            }
            return list.rows
        }
        guard let source = try source(of: links, destination) else { return nil }
        let rows = try source.rows()
        if rows.isEmpty { try context.reader.checkIsThere(source.owner, of: source.entity) }
        return rows
    }

    /// The relationship that links are those of, nil where they are listed, or not said.
    private func source(
        of links: EntityValues.Links, _ destination: EntityPlan
    ) throws -> LinkWriter? {
        guard case .relationship(let name, let owner, let entityName, let store) = links else {
            return nil
        }
        guard store === context.store else {
            throw WritingError(entity: destination.name, reason: .otherStore)
        }
        let entity = try plan.entity(entityName)
        guard let index = entity.toMany.firstIndex(where: { $0.name == name }) else {
            throw unknown(name, of: entity)
        }
        return LinkWriter(context: context, entity: entity, index: index, owner: owner)
    }
}

extension ObjectWriter {
    /// The row of an identity, its values in the order of the entity's identity.
    func find(_ identity: [SQLValue], in entity: EntityPlan) throws -> Int64? {
        try find(ordered: ordered(identity, of: entity), in: entity)
    }

    /// The row of an identity, its values in the order of the columns.
    func find(ordered identity: [SQLValue], in entity: EntityPlan) throws -> Int64? {
        guard !identity.isEmpty else { return nil }
        let known = try rows.find(ObjectRow(identity: identity, of: entity))
        return known.flatMap {
            entity.family.descendants.contains($0.entity.index) ? $0.row : nil
        }
    }

    /// An identity in the order of the columns.
    func ordered(_ identity: [SQLValue], of entity: EntityPlan) throws -> [SQLValue] {
        let names = entity.description.identity
        guard names.count == identity.count, identity.contains(where: { $0 != .null }) else {
            throw WritingError(entity: entity.name, reason: .notIdentifiable)
        }
        return try entity.identifying.columns.map { column in
            let attribute = entity.description.attributes[column]
            let value = names.firstIndex(of: attribute.name).map { identity[$0] } ?? .null
            guard attribute.type.keeps(value) else {
                throw WritingError(
                    entity: entity.name, attribute: attribute.name,
                    reason: .unfit("expected \(attribute.type.plainName)"))
            }
            return value
        }
    }

    /// Throws where an attribute does not take a value.
    func checkIsAllowed(_ value: SQLValue, in column: Int, of entity: EntityPlan) throws {
        let attribute = entity.description.attributes[column]
        let allowed = attribute.allowedValues
        guard allowed.contains(value) else {
            throw WritingError(
                entity: entity.name, attribute: attribute.name,
                reason: .unfit("expected \(allowed.expectation ?? attribute.type.plainName)"))
        }
    }

    func unknown(_ name: String, of entity: EntityPlan) -> StoreError {
        StoreError(.unknownEntity, "\(entity.name) has no \(name) in the store's model")
    }
}
