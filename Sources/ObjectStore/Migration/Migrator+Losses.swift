extension Migrator {
    /// Counts the losses: what the old tables hold that the new ones would not.
    ///
    /// - Parameter mapped: Entities that a step fills afterwards; what is empty in them is not
    ///   judged yet.
    func losses(excluding mapped: Set<String>) throws -> [MigrationLoss] {
        try plan.possibleLosses.compactMap { loss in
            try counted(loss, try counts(of: loss, excluding: mapped))
        }
    }

    /// Counts the losses by what is still empty after steps have filled entities.
    func emptied(in entities: Set<String>) throws -> [MigrationLoss] {
        try plan.possibleLosses.compactMap { loss in
            guard loss.reason == .empty else { return nil }
            let filled = bearers(of: loss).filter { isMapped($0, by: entities) }
            return try counted(
                loss,
                filled.map { copy in
                    "SELECT count(*) FROM \(pairs(of: copy)) WHERE \(copy.wasComplete)"
                        + " AND n.\(loss.part.propertyName.sqlName) IS NULL"
                })
        }
    }

    /// Each old row of an entity as `o` beside what has become of it as `n`.
    func pairs(of copy: EntityCopy) -> String {
        copy.pairs(
            with: tableName(copy.new.family.tableName),
            isRenumbered: renumbered.contains(copy.new.family.tableName))
    }

    private func counted(_ loss: MigrationLoss, _ counts: [String]) throws -> MigrationLoss? {
        let count = try counts.reduce(0) { try $0 + connection.number($1) }
        return count > 0 ? MigrationLoss(loss.part, loss.reason, count: count) : nil
    }

    /// The entities whose objects have what is lost: the new entity and those below it.
    private func bearers(of loss: MigrationLoss) -> [EntityCopy] {
        mapping.bearers(of: loss.part.entityName).compactMap { copies[$0.new.name] }
    }

    /// Whether a step goes through an entity's objects.
    private func isMapped(_ copy: EntityCopy, by entities: Set<String>) -> Bool {
        ([copy.new.index] + copy.new.family.ancestors).contains { index in
            entities.contains(new.entities[index].name)
        }
    }

    /// The statements that count what is lost, none where nothing can be.
    private func counts(
        of loss: MigrationLoss, excluding mapped: Set<String>
    ) throws -> [String] {
        switch loss.reason {
        case .removed, .destination, .order:
            return try countRemoved(loss)
        case .incompatible, .respelled:
            return bearers(of: loss).compactMap { countIncompatible(loss, $0) }
        case .empty:
            return try bearers(of: loss).filter { !isMapped($0, by: mapped) }
                .compactMap { try countEmpty(loss, $0) }
        case .severalLinks:
            return try bearers(of: loss).prefix(1).compactMap { try countEmpty(loss, $0) }
        case .abstract, .identityRemoved, .unidentified:
            return bearers(of: loss).compactMap { countUnidentified(loss, $0) }
        case .duplicate:
            guard let copy = bearers(of: loss).first,
                renumbered.contains(copy.new.family.tableName)
            else { return [] }
            return [
                "SELECT count(*) FROM \(copy.mapName) WHERE new IS NOT NULL AND NOT stays"
                    + " AND (isObject OR NOT (\(isStillOne(in: copy.new.family))))"
            ]
        }
    }

    /// The condition that what a row has become is of the entity that the row is of, or one below it,
    /// so that links to it can lead there.
    private func isStillOne(in family: EntityFamily) -> String {
        let cases = family.members.compactMap { index in
            let entity = new.entities[index]
            return entity.family.rowNames.map {
                "WHEN \(SQLValue.text(entity.name).literal) THEN entity IN \($0.sqlList)"
            }
        }
        return cases.isEmpty ? "TRUE" : "CASE was \(cases.joined(separator: " ")) ELSE TRUE END"
    }

    private func countRemoved(_ loss: MigrationLoss) throws -> [String] {
        let entity = try old.entity(loss.part.entityName)
        switch loss.part {
        case .entity:
            return [
                "SELECT count(*) FROM \(entity.table) AS o WHERE \(entity.ownScope("o") ?? "TRUE")"
            ]
        case .attribute:
            // Objects of entities that are removed are counted with these.
            return try mapping.formerBearers(of: entity.name)
                .filter { $0.match?.keeps(loss.part.propertyName) == false }
                .map { name, _ in
                    let bearer = try old.entity(name)
                    return "SELECT count(*) FROM \(bearer.table) AS o"
                        + " WHERE o.\(loss.part.propertyName.sqlName) IS NOT NULL"
                        + (bearer.ownScope("o").map { " AND \($0)" } ?? "")
                }
        case .relationship:
            guard
                let relationship = entity.description.relationship(named: loss.part.propertyName)
            else { return [] }
            let source = ModelMapping.LinkSource(
                entity: entity.description, relationship: relationship, isSwapped: false)
            var links = try links([source])
            let losers = mapping.losers(of: relationship, in: entity.description)
            let strays = mapping.strays(of: relationship, in: entity.description)
            if loss.reason == .removed, !losers.isEmpty {
                links = Self.links(links, "source", areOf: losers, in: entity)
            } else if loss.reason == .destination, !strays.isEmpty {
                links = try Self.links(
                    links, "target", areOf: strays, in: old.entity(relationship.destination))
            }
            guard loss.reason == .order else { return ["SELECT count(*) FROM (\(links))"] }
            // One link alone is in any order.
            return [
                "SELECT coalesce(sum(count), 0) FROM (SELECT count(position) AS count"
                    + " FROM (\(links)) GROUP BY source HAVING count(*) > 1)"
            ]
        }
    }

    /// Holds links to those one end of which is an object of entities in the table of another.
    private static func links(
        _ links: String, _ end: String, areOf names: [String], in entity: EntityPlan
    ) -> String {
        guard let column = entity.entityColumn else { return links }
        return "SELECT * FROM (\(links)) WHERE \(end) IN (SELECT \(entity.rowid)"
            + " FROM \(entity.table) WHERE \(column) IN \(names.sqlList))"
    }

    private func countIncompatible(_ loss: MigrationLoss, _ copy: EntityCopy) -> String? {
        guard let attribute = copy.match.new.attribute(named: loss.part.propertyName),
            let before = copy.match.attributes[attribute.name],
            loss.reason == .incompatible || copy.match.respells(attribute)
        else { return nil }
        let value = "o.\(before.name.sqlName)"
        let converted = copy.conversion(of: attribute, from: before)
        // What comes nearest is another value, but not to who spells it so. URLs are as they came but for these.
        let isRespelled =
            before.type == .url
            ? "(instr(\(value), '%') OR instr(lower(\(value)), 'xn--'))" : "\(value) IS NOT NULL"
        let isLost =
            loss.reason == .respelled
            ? isRespelled
            : before.type == attribute.type && attribute.allowedValues.spelling == nil
                ? "\(converted) IS NOT \(value)"
                : "\(value) IS NOT NULL AND \(converted) IS NULL"
        return "SELECT count(*) FROM \(copy.old.table) AS o WHERE \(copy.isOwn) AND \(isLost)"
    }

    private func countEmpty(_ loss: MigrationLoss, _ copy: EntityCopy) throws -> String? {
        var isEmpty = "TRUE"
        switch loss.part {
        case .entity: return nil
        case .attribute:
            if let before = copy.match.attributes[loss.part.propertyName] {
                guard let attribute = copy.match.new.attribute(named: loss.part.propertyName)
                else { return nil }
                isEmpty = "(\(copy.conversion(of: attribute, from: before))) IS NULL"
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
                let target = newRow("target", of: relationship.destination)
                isEmpty =
                    "\(copy.row) NOT IN (SELECT source FROM (\(try links(sources)))"
                    + " WHERE \(target) IS NOT NULL)"
            }
        }
        return "SELECT count(*) FROM \(copy.old.table) AS o"
            + " WHERE \(copy.wasComplete) AND \(isEmpty)"
    }

    private func countUnidentified(_ loss: MigrationLoss, _ copy: EntityCopy) -> String? {
        let isLost: String
        switch loss.reason {
        case .identityRemoved: isLost = copy.isOwn
        case .unidentified: isLost = "\(copy.isOwn) AND (\(copy.lacksIdentity))"
        default:
            // Those below it have objects still.
            guard copy.new.name == loss.part.entityName else { return nil }
            isLost = copy.wasComplete
        }
        return "SELECT count(*) FROM \(copy.old.table) AS o WHERE \(isLost)"
    }
}
