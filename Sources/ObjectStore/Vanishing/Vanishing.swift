/// Finds what has vanished of the objects that a list is the whole of, and has it go.
struct Vanishing {
    let context: Context
    let completeness: Completeness
    /// Whether each document has been noted as it came: what has become of its objects since is newer.
    var isNoted = false

    var plan: StorePlan { context.store.plan }

    /// The objects of one scope that have vanished.
    struct Vanished {
        let scope: Completeness.Scope
        let entity: EntityPlan
        let rows: [Int64]
        /// The relationship that the list is of.
        var writer: LinkWriter?
        /// Those that other owners link too, which only lose the link to this one.
        var shared: Set<Int64> = []
        /// What another list has meanwhile made of this one's objects that nothing identifies.
        var overtaking = Overtaking.none

        /// Those that are deleted.
        var doomed: [Int64] {
            scope.mark == nil ? rows.filter { !shared.contains($0) } : []
        }
    }

    /// Takes what a list names for the whole: what the candidates have besides is deleted, or marked.
    ///
    /// - Parameter candidates: What the store had when the list was asked for; others may be newer than it, but for
    ///   what nothing identifies and other lists have brought.
    /// - Returns: The scopes of which it is known what has vanished, as bits by their numbers.
    /// - Throws: `CompletenessError` where the list keeps too little of them, `WritingError` where delete rules
    ///   refuse it, or `StoreError`.
    @discardableResult
    func apply(
        _ objects: ListedObjects, besides candidates: VanishingCandidates
    ) throws -> UInt64 {
        guard !objects.lacksElements else {
            try note(objects)
            return 0
        }
        var all: [Vanished] = []
        var whole: UInt64 = 0
        for (index, scope) in completeness.scopes.enumerated() {
            let entity = try plan.entity(scope.entity)
            guard objects.hasList(of: entity) else {
                try addLinks(of: scope, to: objects)
                continue
            }
            let vanished = try vanished(of: index, besides: candidates, lackedBy: objects)
            if vanished.overtaking != .partial { whole |= 1 << UInt64(index) }
            all.append(vanished)
        }
        try unmark(objects)
        try remove(&all, among: objects)
        for vanished in all { try link(vanished, as: objects) }
        return whole
    }

    /// Has go what has vanished, or marks it.
    func remove(_ all: inout [Vanished], among objects: ListedObjects) throws {
        for index in all.indices { try findOwner(of: &all[index], among: objects, and: all) }
        for vanished in all {
            guard let mark = vanished.scope.mark else { continue }
            try set(mark, hasVanished: true, of: vanished.rows, in: vanished.entity)
        }
        try delete(all)
    }

    /// Takes note of a list that shows nothing to have vanished: its objects are there, and are linked to the
    /// owners whose relationship it is of, behind those that are.
    func note(_ objects: ListedObjects) throws {
        guard !isNoted else { return }
        try unmark(objects)
        for scope in completeness.scopes { try addLinks(of: scope, to: objects) }
    }

    /// Links what a list names to the owner whose relationship it is of, behind what is linked.
    private func addLinks(of scope: Completeness.Scope, to objects: ListedObjects) throws {
        guard !isNoted, case .relationship(let name, let owner, let entity) = scope.objects else {
            return
        }
        let rows = try listedRows(of: scope, in: objects)
        guard !rows.isEmpty, let writer = try writer(name, of: owner, entity) else { return }
        // The owner, as a single object, is no list that it stands in.
        let hasList = try objects.isList || objects.hasList(of: plan.entity(scope.entity))
        let others = hasList ? rows : writer.others(among: rows)
        try context.writing { try writer.add(others) }
    }

    /// The rows that may go: those with changes that the server does not have are to stay, once there are any.
    func withoutExempt(_ rows: [Int64], of entity: EntityPlan) -> [Int64] { rows }

    /// Takes the marks from what is named.
    private func unmark(_ objects: ListedObjects) throws {
        guard !isNoted else { return }
        for scope in completeness.scopes {
            guard let mark = scope.mark else { continue }
            let entity = try plan.entity(scope.entity)
            let names = objects.names(of: entity).rows.sorted()
            try set(mark, hasVanished: false, of: names, in: entity)
        }
    }

    /// Finds the owner whose relationship a list is of, and what others link too.
    private func findOwner(
        of vanished: inout Vanished, among objects: ListedObjects, and all: [Vanished]
    ) throws {
        guard case .relationship(let name, let owner, let entity) = vanished.scope.objects else {
            return
        }
        let isNothing =
            try listedRows(of: vanished.scope, in: objects).isEmpty && vanished.rows.isEmpty
        guard !isNothing, let writer = try writer(name, of: owner, entity) else { return }
        vanished.writer = writer
        guard vanished.scope.mark == nil else { return }
        // Owners that go as well hold nothing.
        let owners = all.filter { other in
            guard case .query = other.scope.objects else { return false }
            return plan.root(of: other.entity) === plan.root(of: writer.entity)
        }
        vanished.shared = try sharedRows(
            among: vanished.rows, of: writer, besides: owners.flatMap(\.doomed))
    }

    /// Deletes what has vanished of all scopes together: what goes along denies nothing.
    private func delete(_ all: [Vanished]) throws {
        let doomed = all.map { ($0.entity, $0.doomed) }.filter { !$0.1.isEmpty }
        guard !doomed.isEmpty else { return }
        _ = try context.writing {
            try Deletion(
                of: doomed.map(\.0), in: plan, by: context.statements, telling: context
            ).delete(doomed.map(\.1))
        }
    }

    /// Makes the links of an owner what a list says, once all is gone that has vanished.
    private func link(_ vanished: Vanished, as objects: ListedObjects) throws {
        guard let writer = vanished.writer, vanished.overtaking == .none else { return }
        // What has gone may have taken the owner along, or some of the list.
        let isThere = "SELECT 1 FROM \(writer.entity.table) WHERE \(writer.entity.rowid) = ?"
        guard try !context.connection.allRows(isThere, [.integer(writer.owner)]).isEmpty else {
            return
        }
        var rows = try listedRows(of: vanished.scope, in: objects)
        try context.writing {
            let linked = try writer.rows()
            if isNoted {
                let isLinked = Set(linked)
                rows = rows.filter(isLinked.contains)
            }
            let others = RowList.difference(linked, rows)
            try writer.set(rows + others.filter { !vanished.shared.contains($0) })
        }
    }

    /// Has the rules of owners be asked, where objects were linked to them as they came.
    func checkOwners(of objects: ListedObjects) throws {
        guard objects.areLinked else { return }
        for case .relationship(_, let owner, let name) in completeness.scopes.map(\.objects) {
            let entity = try plan.entity(name)
            guard let row = try context.row(of: owner, in: entity) else { continue }
            try context.writing {
                context.expectRules(of: row, as: try context.rows.entity(of: row, as: entity))
            }
        }
    }

    private func set(
        _ mark: VanishingMark, hasVanished: Bool, of rows: [Int64], in entity: EntityPlan
    ) throws {
        guard !rows.isEmpty else { return }
        var query = QueryDescription(entity: entity.name)
        let isListed = QueryExpression.infix(.row(ColumnPath()), "IN", .objects(rows, of: []))
        let isDue = hasVanished ? mark.isMissing : mark.isMissing.negated
        query.condition = .joined(isListed, .and, isDue)
        try context.writing {
            var update = try ColumnUpdate(query, in: context)
            try update.add(mark.assignment(hasVanished: hasVanished))
            _ = try update.run()
        }
    }

    // MARK: Relationships

    /// The rows of a list that a relationship's objects can be in, in order.
    func listedRows(
        of scope: Completeness.Scope, in objects: ListedObjects
    ) throws -> [Int64] {
        let entity = try plan.entity(scope.entity)
        let listed = objects.listed(of: entity)
        guard !listed.isEmpty else { return [] }
        // Some may have been deleted by what came after them.
        let select = try context.connection.prepare(
            "SELECT t.\(entity.rowid) FROM json_each(?) AS l CROSS JOIN \(entity.table) AS t"
                + " ON t.\(entity.rowid) = l.value"
                + (entity.rowScope("t").map { " WHERE \($0)" } ?? "") + " ORDER BY l.key")
        try select.bind([.text(JSONText.array(listed))])
        defer { select.reset() }
        var list = RowList(capacity: listed.count)
        while try select.step() { list.append(select.integer(at: 0)) }
        return list.rows
    }

    func writer(
        _ relationship: String, of owner: EntityValues.Link, _ entity: String
    ) throws -> LinkWriter? {
        let entity = try plan.entity(entity)
        let objects = ObjectWriter(context: context)
        guard let index = entity.toMany.firstIndex(where: { $0.name == relationship }) else {
            throw objects.unknown(relationship, of: entity)
        }
        return try objects.row(of: owner, in: entity).map {
            LinkWriter(context: context, entity: entity, index: index, owner: $0)
        }
    }

    /// The rows that other owners link too, which only lose the link to this one.
    ///
    /// - Parameter owners: Owners that are about to go.
    private func sharedRows(
        among rows: [Int64], of writer: LinkWriter, besides owners: [Int64]
    ) throws -> Set<Int64> {
        guard !rows.isEmpty, !writer.isExclusive else { return [] }
        let links = LinkQuery(writer.relationship, in: plan)
        let select = try context.connection.prepare(
            "SELECT DISTINCT l.\(links.target) FROM json_each(?1) AS r CROSS JOIN \(links.table) AS l"
                + " ON l.\(links.target) = r.value WHERE l.\(links.source) <> ?2"
                + " AND l.\(links.source) NOT IN (SELECT value FROM json_each(?3))")
        try select.bind([
            .text(JSONText.array(rows)), .integer(writer.owner), .text(JSONText.array(owners)),
        ])
        defer { select.reset() }
        var shared: Set<Int64> = []
        while try select.step() { shared.insert(select.integer(at: 0)) }
        return shared
    }
}

extension Snapshot {
    /// The rows of a scope's objects, but for those that are marked as vanished.
    func rows(in scope: Completeness.Scope) throws -> [Int64] {
        let entity = try store.plan.entity(scope.entity)
        var query: QueryDescription
        switch scope.objects {
        case .query(let description):
            query = description
            guard !query.isCut, query.cursor == nil else {
                throw CompletenessError(entity: entity.name, reason: .limitedQuery)
            }
        case .relationship(let name, let owner, let ownerEntity):
            let linked = try rows(of: name, linkedBy: owner, store.plan.entity(ownerEntity))
            guard scope.mark != nil, !linked.isEmpty else { return linked }
            query = QueryDescription(entity: entity.name)
            query.condition = .infix(.row(ColumnPath()), "IN", .objects(linked, of: []))
        }
        if let isMissing = scope.mark?.isMissing {
            query.condition = query.condition.map { .joined($0, .and, isMissing) } ?? isMissing
        }
        return try rows(of: query)
    }

    /// The rows of the objects that a query finds.
    func rows(of query: QueryDescription) throws -> [Int64] {
        let entity = try store.plan.entity(query.entity)
        var compiler = QueryCompiler(entity: entity, in: store.plan)
        let sql = try compiler.select(query, columns: [entity.family.rowidName])
        return try Self.rows(of: connection.prepare(sql, by: compiler))
    }

    /// The rows that a relationship of an object links; none where the object is not in the store.
    private func rows(
        of relationship: String, linkedBy owner: EntityValues.Link, _ entity: EntityPlan
    ) throws -> [Int64] {
        guard let toMany = entity.toMany.first(where: { $0.name == relationship }) else {
            throw StoreError(
                .unknownEntity,
                "\(entity.name) has no relationship \(relationship) in the store's model")
        }
        guard let row = try row(of: owner, in: entity) else { return [] }
        let links = LinkQuery(toMany, in: store.plan)
        let select = try connection.prepare(
            "SELECT l.\(links.target) FROM \(links.table) AS l WHERE l.\(links.source) = ?"
                + (links.rowScope.map { " AND \($0)" } ?? ""))
        try select.bind([.integer(row)])
        return try Self.rows(of: select)
    }

    /// The row of an object, nil where it is not in the store.
    func row(of link: EntityValues.Link, in entity: EntityPlan) throws -> Int64? {
        let identity: [SQLValue]?
        switch link {
        case .none: return nil
        case .row(let row, let other):
            try store.plan.check(isOf: other, entity.name)
            return row
        case .identity(let values): identity = values
        case .object(let object, _): identity = try EntityValues(of: object).identity
        }
        guard let identity, identity.contains(where: { $0 != .null }) else { return nil }
        try entity.checkIdentity(identity)
        let terms = entity.description.identity.map { "t.\($0.sqlName) IS ?" }
        let scopes = [entity.identityScope("t"), entity.rowScope("t")].compactMap(\.self)
        let select = try connection.prepare(
            "SELECT t.\(entity.rowid) FROM \(entity.table) AS t WHERE "
                + (terms + scopes).joined(separator: " AND "))
        try select.bind(identity)
        return try Self.rows(of: select).first
    }

    private static func rows(of statement: Statement) throws -> [Int64] {
        defer { statement.reset() }
        var rows: [Int64] = []
        while try statement.step() { rows.append(statement.integer(at: 0)) }
        return rows
    }
}
