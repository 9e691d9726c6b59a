/// Objects that nothing identifies, which come as other rows with each list.
extension Vanishing {
    /// What another list has made, while several documents came, of those objects of theirs that nothing identifies.
    enum Overtaking {
        case none
        /// It has taken their place, as the whole of the same.
        case whole
        /// It has taken the place of some, as the whole of something else: what has vanished of them nobody knows.
        case partial
    }

    /// What of a scope's objects a list lacks.
    ///
    /// What nothing identifies is another row each time, also where another list has had it meanwhile.
    ///
    /// - Parameter isOfUnidentified: Whether nothing else is looked at than what nothing identifies.
    /// - Throws: `CompletenessError` where the list keeps too little.
    func vanished(
        of index: Int, besides candidates: VanishingCandidates, lackedBy objects: ListedObjects,
        isOfUnidentified: Bool = false
    ) throws -> Vanished {
        let (scope, known) = (completeness.scopes[index], candidates.counts[index])
        let (entity, earlier) = (try plan.entity(scope.entity), candidates.rows[index])
        let named = objects.names(of: entity).rows
        let present = try context.rows(in: scope)
        let departed = context.departures(of: entity, since: candidates.watch)
        var rows = present.filter {
            earlier.contains($0) && !named.contains($0) && !departed.contains($0)
        }
        var (kept, overtaking) = (known - rows.count, Overtaking.none)
        if entity.mayLackIdentity {
            let nameless = try unidentified(present, of: entity)
            let arrived = context.arrivals(of: entity, since: candidates.watch)
            let place = try place(of: scope)
            let lost = context.replacements(of: entity, since: candidates.watch)
                .intersection(named)
            if isNoted, !lost.isEmpty {
                rows = rows.filter { !nameless.contains($0) }
                kept = known - rows.count
                let here = context.replacements(of: entity, in: place, since: candidates.watch)
                overtaking = lost.isSubset(of: here) ? .whole : .partial
                // A list that has come as the whole of the same meanwhile stands: of this one there is but a part.
                if overtaking == .whole {
                    rows += present.filter { nameless.contains($0) && named.contains($0) }
                }
            } else {
                rows += present.filter {
                    arrived.contains($0) && !earlier.contains($0) && !named.contains($0)
                }
                if isOfUnidentified { rows = rows.filter(nameless.contains) }
                var own = named.intersection(present)
                if case .relationship = scope.objects {
                    // The owner gets its links last.
                    own.formUnion(try listedRows(of: scope, in: objects))
                }
                own.formIntersection(arrived)
                let stay = Set(present).subtracting(rows).union(own).count
                kept = min(known, known - rows.count(where: earlier.contains) + own.count, stay)
            }
            context.statements.noteReplaced(
                rows.filter(nameless.contains), of: entity, in: place)
        }
        if !rows.isEmpty, scope.limit?.allows(keeping: kept, of: known) == false {
            throw CompletenessError(
                entity: entity.name, reason: .nearlyEmpty(known: known, kept: kept))
        }
        var vanished = Vanished(
            scope: scope, entity: entity, rows: withoutExempt(rows, of: entity))
        vanished.overtaking = overtaking
        return vanished
    }

    /// What tells a scope from others.
    private func place(of scope: Completeness.Scope) throws -> String {
        switch scope.objects {
        case .query(let query): return "\(query)"
        case .relationship(let name, let owner, let entity):
            let row = try context.row(of: owner, in: plan.entity(entity))
            return "\(entity) \(name) \(row ?? 0)"
        }
    }

    /// Has go what there was of a list's objects that nothing identifies, as they have come anew, where the list is
    /// none of now, which shows nothing else to have vanished.
    func replaceUnidentified(
        by objects: ListedObjects, besides candidates: VanishingCandidates
    ) throws {
        guard !objects.lacksElements else { return }
        var all: [Vanished] = []
        for (index, scope) in completeness.scopes.enumerated() {
            let entity = try plan.entity(scope.entity)
            guard entity.mayLackIdentity, objects.hasList(of: entity) else { continue }
            all.append(
                try vanished(
                    of: index, besides: candidates, lackedBy: objects, isOfUnidentified: true))
        }
        try remove(&all, among: objects)
        for vanished in all where !vanished.shared.isEmpty {
            try context.writing { try vanished.writer?.remove(vanished.shared.sorted()) }
        }
    }

    /// What is there of a list's objects that nothing identifies, in order.
    ///
    /// Its elements have come as those, or others have taken their place since.
    func standing(isWhole: Bool) throws -> [FoundRow] {
        guard isWhole else { return [] }
        var found: [FoundRow] = []
        for scope in completeness.scopes {
            let entity = try plan.entity(scope.entity)
            guard entity.mayLackIdentity else { continue }
            let rows = try unidentified(context.rows(in: scope), of: entity)
            guard !rows.isEmpty else { continue }
            let order = try linkedRows(of: scope).filter(rows.contains)
            for row in order.isEmpty ? rows.sorted() : order {
                found.append(
                    FoundRow(row: row, entity: try context.rows.entity(of: row, as: entity)))
            }
        }
        return found
    }

    /// Links what was missing, and has come back, to the owners whose relationship a list is of: it would be in no such
    /// list again that shows it to have vanished.
    func link(_ objects: ListedObjects, broughtBackBy restoration: Restoration) throws {
        for scope in completeness.scopes {
            guard case .relationship(let name, let owner, let ownerEntity) = scope.objects else {
                continue
            }
            let entity = try plan.entity(scope.entity)
            let rows = try listedRows(of: scope, in: objects).filter {
                restoration.hasWritten($0, of: entity)
            }
            guard !rows.isEmpty, let writer = try writer(name, of: owner, ownerEntity) else {
                continue
            }
            // An object may name another owner.
            let free = try writer.others(among: rows).filter { row in
                guard case .column(let column) = writer.relationship.storage else { return true }
                let destination = plan.entities[writer.relationship.destination]
                return try context.rows.isEmpty(column, of: row, in: destination)
            }
            try context.writing { try writer.add(free) }
        }
    }

    /// Those of an entity's rows whose objects nothing identifies.
    private func unidentified(_ rows: [Int64], of entity: EntityPlan) throws -> Set<Int64> {
        guard !rows.isEmpty, !entity.identifying.isEmpty else { return Set(rows) }
        let terms = entity.description.identity.map { "t.\($0.sqlName) IS NULL" }
        let select = try context.connection.prepare(
            "SELECT t.\(entity.rowid) FROM json_each(?) AS l CROSS JOIN \(entity.table) AS t"
                + " ON t.\(entity.rowid) = l.value WHERE " + terms.joined(separator: " AND "))
        try select.bind([.text(JSONText.array(rows))])
        defer { select.reset() }
        var found: Set<Int64> = []
        while try select.step() { found.insert(select.integer(at: 0)) }
        return found
    }

    /// The rows that the owner links in order whose relationship a list is of; none where it has no order.
    private func linkedRows(of scope: Completeness.Scope) throws -> [Int64] {
        guard case .relationship(let name, let owner, let ownerEntity) = scope.objects else {
            return []
        }
        let entity = try plan.entity(ownerEntity)
        guard let index = entity.toMany.firstIndex(where: { $0.name == name }),
            let owner = try context.row(of: owner, in: entity)
        else { return [] }
        let writer = LinkWriter(context: context, entity: entity, index: index, owner: owner)
        return writer.isOrdered ? try writer.rows() : []
    }
}

extension Completeness {
    /// Whether a list may bring objects that nothing identifies.
    package func mayLackIdentity(in store: Store) throws -> Bool {
        try scopes.contains { try store.plan.entity($0.entity).mayLackIdentity }
    }
}

extension EntityPlan {
    /// Whether there may be objects that nothing identifies.
    fileprivate var mayLackIdentity: Bool { identifying.isEmpty || hasOptionalIdentity }
}
