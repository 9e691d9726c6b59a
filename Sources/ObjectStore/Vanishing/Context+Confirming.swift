extension Context {
    /// Whether a list that is still the same says more than that its objects are as they were: that some which it
    /// lacks have vanished, or that some are there which another list has marked, taken the link from, or moved
    /// since.
    ///
    /// - Parameter isCurrent: Whether the server has confirmed it since it was asked.
    package func isOvertaken(
        _ skeleton: ImportSkeleton, among candidates: VanishingCandidates,
        of completeness: Completeness, isCurrent: Bool
    ) throws -> Bool {
        if isCurrent, try hasOthers(than: skeleton, among: candidates, of: completeness) {
            return true
        }
        let mayBeUndone = completeness.scopes.contains { scope in
            if case .relationship = scope.objects { true } else { scope.mark != nil }
        }
        guard mayBeUndone else { return false }
        let roots = try completeness.scopes.map {
            try store.plan.entity($0.entity).family.members[0]
        }
        let entities = Dictionary(store.plan.entities.map { ($0.rowKind, $0) }) { $1 }
        var objects = ListedObjects(of: roots)
        objects.isList = skeleton.lists.isDocument
        for entity in store.plan.entities where skeleton.lists.entities.contains(entity.name) {
            objects.noteList(of: entity)
        }
        for part in skeleton.parts {
            guard let entity = entities[part.kind] else { continue }
            var place = ListedObjects.Place.element
            if case .object(_, let isInList) = part.content {
                place = isInList ? .wrapped : .single
            } else {
                objects.noteList(of: entity, isOwn: true)
            }
            for row in part.rows { objects.note(row, of: entity, place) }
        }
        // What a cache on the way has had shows no order either.
        return try Vanishing(context: self, completeness: completeness)
            .isUndone(objects, inOrderOf: isCurrent ? skeleton.lists.wholeScopes : 0)
    }

    /// Whether there are objects that a document had not brought of the scopes that it was the whole of.
    private func hasOthers(
        than skeleton: ImportSkeleton, among candidates: VanishingCandidates,
        of completeness: Completeness
    ) throws -> Bool {
        let plan = store.plan
        let replaced = plan.deletesObjects ? plan.replacedEntities : []
        return try zip(completeness.scopes, candidates.rows).enumerated().contains { index, part in
            let (scope, rows) = part
            guard skeleton.lists.wholeScopes & 1 << UInt64(index) != 0, !rows.isEmpty else {
                return false
            }
            let entity = try plan.entity(scope.entity)
            // Of what has no identity, and stood in others, it is kept no more than that there was some.
            let isUnknown = entity.family.descendants.contains { index in
                let member = plan.entities[index]
                guard case .none = member.identity, replaced.contains(index) else { return false }
                return skeleton.nested.contains { $0.kind == member.rowKind }
            }
            if isUnknown { return false }
            let kinds = Set(plan.members(beside: plan.root(of: entity)).map(\.rowKind))
            return !rows.isSubset(of: skeleton.rows(of: kinds))
        }
    }
}

extension ImportSkeleton {
    /// The rows of all objects that the document had, of some kinds.
    fileprivate func rows(of kinds: Set<String>) -> Set<Int64> {
        var rows: Set<Int64> = []
        for part in parts where kinds.contains(part.kind) { rows.formUnion(part.rows) }
        for nested in nested where kinds.contains(nested.kind) {
            rows.formUnion(nested.objects.rows)
        }
        return rows
    }
}
