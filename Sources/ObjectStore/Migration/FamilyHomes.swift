/// The families of the old model, matched with those of the new one that they go on as.
///
/// The objects of a family are numbered together, so that those of two can't come into one table;
/// an entity that goes from one family to another is a new one.
struct FamilyHomes {
    private let before: EntityLineage
    private let after: EntityLineage
    /// The roots of old families by those of the new ones that they go on as.
    private var homes: [String: String] = [:]

    /// - Parameter names: The old entities' names by the new ones'.
    init(_ names: [String: String], from before: EntityLineage, to after: EntityLineage) {
        self.before = before
        self.after = after
        let families = Dictionary(grouping: names.keys) { after.root(of: $0) }
        for (root, members) in families {
            if let old = names[root] {
                homes[root] = before.root(of: old)
            } else {
                // A family that has got another beginning.
                let roots = Set(members.compactMap { names[$0] }.map { before.root(of: $0) })
                homes[root] = roots.count == 1 ? roots.first : nil
            }
        }
        // Where the beginning of a family stays, what has left it is not the family.
        let stayed = Set(homes.filter { names[$0.key] == $0.value }.map(\.value))
        homes = homes.filter { names[$0.key] == $0.value || !stayed.contains($0.value) }
    }

    /// Whether the objects of an old entity go on as those of a new one.
    func keep(_ old: String, as new: String) -> Bool {
        homes[after.root(of: new)] == before.root(of: old)
    }
}
