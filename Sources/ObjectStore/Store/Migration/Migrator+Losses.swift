extension Migrator {
    /// What the old tables hold that the new ones would not.
    ///
    /// - Parameter mapped: Entities that a step fills afterwards; what is empty in them is not
    ///   judged yet.
    func losses(excluding mapped: Set<String>) throws -> [MigrationLoss] {
        try plan.possibleLosses.compactMap { loss in
            if loss.reason == .empty, mapped.contains(loss.part.entityName) { return nil }
            return try counted(loss, try count(of: loss))
        }
    }

    /// What is still empty after steps have filled entities.
    func emptied(in entities: Set<String>) throws -> [MigrationLoss] {
        try plan.possibleLosses.compactMap { loss in
            guard loss.reason == .empty, entities.contains(loss.part.entityName),
                let copy = copies[loss.part.entityName]
            else { return nil }
            let pairs = copy.pairs(
                with: tableName(copy.new.name), isRenumbered: renumbered.contains(copy.new.name))
            return try counted(
                loss,
                "SELECT count(*) FROM \(pairs) WHERE \(copy.wasComplete)"
                    + " AND n.\(loss.part.propertyName.sqlName) IS NULL")
        }
    }

    private func counted(_ loss: MigrationLoss, _ sql: String?) throws -> MigrationLoss? {
        guard let sql else { return nil }
        let count = try connection.number(sql)
        return count > 0 ? MigrationLoss(loss.part, loss.reason, count: count) : nil
    }

    /// The statement that counts what is lost, nil where nothing can be.
    private func count(of loss: MigrationLoss) throws -> String? {
        switch loss.reason {
        case .removed, .destination, .order: try countRemoved(loss)
        case .incompatible: countIncompatible(loss)
        case .empty, .severalLinks: try countEmpty(loss)
        case .identityRemoved, .unidentified, .duplicate: countUnidentified(loss)
        }
    }

    private func countRemoved(_ loss: MigrationLoss) throws -> String? {
        let entity = try old.entity(loss.part.entityName)
        switch loss.part {
        case .entity:
            return "SELECT count(*) FROM \(entity.table)"
        case .attribute:
            return "SELECT count(*) FROM \(entity.table)"
                + " WHERE \(loss.part.propertyName.sqlName) IS NOT NULL"
        case .relationship:
            guard
                let relationship = entity.description.relationship(named: loss.part.propertyName)
            else { return nil }
            let source = ModelMapping.LinkSource(
                entity: entity.description, relationship: relationship, isSwapped: false)
            return "SELECT count(*) FROM (\(try links([source])))"
                + (loss.reason == .order ? " WHERE position IS NOT NULL" : "")
        }
    }

    private func countIncompatible(_ loss: MigrationLoss) -> String? {
        guard let copy = copies[loss.part.entityName],
            let attribute = copy.match.new.attribute(named: loss.part.propertyName),
            let before = copy.match.attributes[attribute.name]
        else { return nil }
        let value = "o.\(before.name.sqlName)"
        let converted = ValueConversion(from: before.type, to: attribute.type).sql(value)
        return "SELECT count(*) FROM \(copy.old.table) AS o"
            + " WHERE \(value) IS NOT NULL AND \(converted) IS NULL"
    }

    private func countEmpty(_ loss: MigrationLoss) throws -> String? {
        guard let copy = copies[loss.part.entityName] else { return nil }
        var isEmpty = "TRUE"
        switch loss.part {
        case .entity: return nil
        case .attribute:
            if let before = copy.match.attributes[loss.part.propertyName] {
                isEmpty = "o.\(before.name.sqlName) IS NULL"
            }
        case .relationship:
            guard
                let relationship = copy.match.new.relationship(named: loss.part.propertyName)
            else { return nil }
            let sources = mapping.linkSources(of: relationship, in: copy.match.new)
            if loss.reason == .severalLinks {
                return "SELECT count(*) - count(DISTINCT source)"
                    + " FROM (SELECT DISTINCT source, target FROM (\(try links(sources))))"
            }
            if !sources.isEmpty {
                isEmpty = "\(copy.row) NOT IN (SELECT source FROM (\(try links(sources))))"
            }
        }
        return "SELECT count(*) FROM \(copy.old.table) AS o"
            + " WHERE \(copy.wasComplete) AND \(isEmpty)"
    }

    private func countUnidentified(_ loss: MigrationLoss) -> String? {
        guard let copy = copies[loss.part.entityName] else { return nil }
        switch loss.reason {
        case .identityRemoved:
            return "SELECT count(*) FROM \(copy.old.table)"
        case .unidentified:
            return "SELECT count(*) FROM \(copy.old.table) AS o WHERE \(copy.lacksIdentity)"
        default:
            guard renumbered.contains(copy.new.name) else { return nil }
            return "SELECT count(*) FROM \(copy.mapName) WHERE new IS NOT NULL AND NOT stays"
        }
    }
}
