extension Context {
    /// Whether there are objects of a list's scopes that a document had not brought: a list that is still the same
    /// lacks them, too.
    package func hasOthers(
        than skeleton: ImportSkeleton, among candidates: VanishingCandidates,
        of completeness: Completeness
    ) throws -> Bool {
        let plan = store.plan
        return try zip(completeness.scopes, candidates.rows).contains { scope, rows in
            let root = plan.root(of: try plan.entity(scope.entity))
            let kinds = Set(plan.members(beside: root).map(\.rowKind))
            return !rows.isSubset(of: skeleton.rows(of: kinds))
        }
    }
}

extension ImportSkeleton {
    /// The rows of all objects that the document had, of some kinds.
    fileprivate func rows(of kinds: Set<String>) -> Set<Int64> {
        var rows: Set<Int64> = []
        for part in parts where kinds.contains(part.kind) {
            switch part.content {
            case .object(let objects), .objects(let objects, _, _): rows.formUnion(objects.rows)
            case .others: break
            }
        }
        for nested in nested where kinds.contains(nested.kind) {
            rows.formUnion(nested.objects.rows)
        }
        return rows
    }
}
