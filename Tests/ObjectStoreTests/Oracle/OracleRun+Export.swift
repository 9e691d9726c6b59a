@testable import LarderObjectStore

extension OracleRun {
    /// Throws where a store does not know its own objects again, written as JSON: importing them must
    /// change nothing.
    ///
    /// Objects that nothing identifies are new each time they come, so that nothing is asked of a store
    /// that has any. Nor of one with a reference that several attributes identify, which JSON has no form
    /// for where nothing else is required: it comes back as an object. Nor where several attributes read
    /// one key: each may have been given another value; where one of them is that of a linked object, only
    /// if the JSON can't do without that one.
    func checkExports() throws {
        let roots = world.schema.names.map { world.schema[$0] }
            .filter { world.schema.root(of: $0.name) == $0.name }
        let areAllIdentified = world.objects.values.allSatisfy { object in
            let identity = world.schema[object.entity].identity
            return identity.contains { object.values[$0] != nil }
                && !(object.isReference && identity.count > 1)
        }
        let haveOwnKeys = world.schema.names.allSatisfy { name in
            let keys = world.schema[name].attributes.compactMap(\.key)
            return Set(keys).count == keys.count
        }
        guard areAllIdentified, haveOwnKeys else { return }
        let forms: [ExportedRelationships] = [.nested, .identities, .omitted]
        for relationships in forms where canSayTwins(relationships) {
            for root in roots {
                let json = try store.json(DynamicQuery(root.name), relationships: relationships)
                let total: ImportReport.Counts
                do {
                    total = try store.write { context in
                        try context.import(root.name, from: json)
                        return context.report.total
                    }
                } catch {
                    throw OracleDisagreement(
                        "\(String(decoding: json, as: UTF8.self)) does not come back: \(error)")
                }
                guard total.changes == 0 else {
                    throw OracleDisagreement(
                        "\(root.name) exported as \(relationships) and imported is something else:"
                            + " \(total), \(String(decoding: json, as: UTF8.self))")
                }
            }
        }
    }

    /// Whether attributes that read what linked objects read have the same values as these, as far as
    /// the JSON has to have these.
    private func canSayTwins(_ relationships: ExportedRelationships) -> Bool {
        if relationships == .omitted { return true }
        return world.objects.values.allSatisfy { object in
            let entity = world.schema[object.entity]
            return entity.ones.allSatisfy { one in
                guard let linked = object.ones[one.name].flatMap({ world.objects[$0] }) else {
                    return true
                }
                let destination = world.schema[linked.entity]
                return entity.attributes.allSatisfy { attribute in
                    guard let key = entity.key(of: attribute, beyond: one),
                        let twin = destination.attributes.first(where: { $0.key == key })
                    else { return true }
                    let isPart =
                        destination.identity.count > 1 && destination.identity.contains(twin.name)
                    let isSaid = isPart || relationships == .nested && !linked.isReference
                    return !isSaid || object.values[attribute.name] == linked.values[twin.name]
                }
            }
        }
    }
}
