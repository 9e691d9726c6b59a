/// The objects that a list may show to have vanished: those that the store has when it is asked for.
package struct VanishingCandidates: Sendable {
    /// The rows of each scope that may have vanished.
    let rows: [Set<Int64>]
    /// The number of objects that each scope had.
    let counts: [Int]
    /// What tells of those that have been deleted since; nil where nothing goes in between.
    let watch: RowWatch?

    init(rows: [Set<Int64>], counts: [Int], since watch: RowWatch? = nil) {
        (self.rows, self.counts, self.watch) = (rows, counts, watch)
    }

    /// None of them, where nothing is asked about what a list lacks.
    package init(noneOf completeness: Completeness) {
        self.init(
            rows: completeness.scopes.map { _ in [] }, counts: completeness.scopes.map { _ in 0 })
    }

    init(
        of completeness: Completeness, in snapshot: Snapshot, since watch: RowWatch? = nil
    ) throws {
        let rows = try completeness.scopes.map { Set(try snapshot.rows(in: $0)) }
        self.init(rows: rows, counts: rows.map(\.count), since: watch)
    }

    /// Those of them that a list does not name.
    package func without(
        _ objects: ListedObjects, of completeness: Completeness, in store: Store
    ) throws -> VanishingCandidates {
        VanishingCandidates(
            rows: try zip(completeness.scopes, rows).map { scope, rows in
                rows.subtracting(objects.names(of: try store.plan.entity(scope.entity)).rows)
            }, counts: counts, since: watch)
    }

    /// Whether a list may still name some of them: what nothing identifies comes as another row each time.
    package func mayBeNamed(by completeness: Completeness, in store: Store) throws -> Bool {
        try zip(completeness.scopes, rows).contains { scope, rows in
            if case .none = try store.plan.entity(scope.entity).identity { return false }
            return !rows.isEmpty
        }
    }

    /// Whether there are none.
    package var isEmpty: Bool { rows.allSatisfy(\.isEmpty) }
}

extension Completeness {
    /// What the store has now of what lists are to be the whole of.
    ///
    /// - Parameter watch: One that began before the snapshot.
    package func candidates(
        in snapshot: Snapshot, since watch: RowWatch
    ) throws -> VanishingCandidates {
        try VanishingCandidates(of: self, in: snapshot, since: watch)
    }
}

extension ListedObjects {
    /// Adds what a later walk names of the same lists, in its order: what nothing identifies has come by that as other
    /// rows, where it has come again.
    package mutating func formUnion(
        laterWalk other: ListedObjects, since candidates: VanishingCandidates
    ) {
        if let watch = candidates.watch { subtract { watch.rows(.brought(root: $0)) } }
        var union = other
        union.formUnion(self)
        self = union
    }
}
