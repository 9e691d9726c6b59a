extension Migrator {
    /// Whether the links stay in the to-one column that holds them.
    func isDirect(_ sources: [ModelMapping.LinkSource]) -> Bool {
        sources.count == 1 && !sources[0].isSwapped && !sources[0].relationship.isToMany
    }

    /// Returns the SQL of a to-one relationship's target, nil where nothing gives it one.
    func target(
        of relationship: RelationshipDescription, in copy: EntityCopy
    ) throws -> String? {
        let sources = mapping.linkSources(of: relationship, in: copy.match.new)
        guard let first = sources.first else { return nil }
        var target = "o.\(first.relationship.name.sqlName)"
        if !isDirect(sources) {
            let name = "temp.\("$links.\(copy.new.name).\(relationship.name)".sqlName)"
            try createTemporarily(name, "source INTEGER PRIMARY KEY, target INTEGER")
            try connection.execute(
                "INSERT INTO \(name) SELECT source, max(target) FROM (\(try links(sources)))"
                    + " WHERE \(newRow("target", of: relationship.destination)) IS NOT NULL"
                    + " GROUP BY source")
            target = "(SELECT target FROM \(name) WHERE source = \(copy.row))"
        }
        return newRow(target, of: relationship.destination)
    }

    /// The links of old relationships: `source`, `target`, and `position` on both sides.
    func links(_ sources: [ModelMapping.LinkSource]) throws -> String {
        try sources.map { source in
            let columns = try linkColumns(of: source)
            let names =
                source.isSwapped
                ? (columns.target, columns.source, columns.inversePosition, columns.position)
                : (columns.source, columns.target, columns.position, columns.inversePosition)
            return "SELECT \(names.0) AS source, \(names.1) AS target, \(names.2) AS position,"
                + " \(names.3) AS inversePosition FROM \(columns.table)"
                + " WHERE \(columns.source) IS NOT NULL AND \(columns.target) IS NOT NULL"
                + (columns.scope.map { " AND \($0)" } ?? "")
        }.joined(separator: " UNION ALL ")
    }

    private typealias LinkColumns = (
        table: String, source: String, target: String, position: String, inversePosition: String,
        scope: String?
    )

    private func linkColumns(of source: ModelMapping.LinkSource) throws -> LinkColumns {
        let owner = try old.entity(source.entity.name)
        let name = source.relationship.name
        guard let relationship = owner.toMany.first(where: { $0.name == name }) else {
            return (
                owner.table, owner.rowid, name.sqlName, "NULL", "NULL", owner.rowScope(owner.table)
            )
        }
        let destination = old.entities[relationship.destination]
        switch relationship.storage {
        case .column(let column):
            return (
                destination.table, destination.columnNames[column].sqlName, destination.rowid,
                "NULL", "NULL", destination.rowScope(destination.table)
            )
        case .table(let links):
            return (
                links.name, links.source, links.target, links.position ?? "NULL",
                links.inversePosition ?? "NULL", nil
            )
        }
    }

    /// Returns the copies that fill the link tables which are made with an entity.
    func linkCopies(of entity: EntityPlan) throws -> [LinkCopy] {
        try new.linkTables.compactMap { table in
            guard table.owner.entity == entity.index, let relationship = table.owner.relationship,
                let description = entity.description.relationship(named: relationship)
            else { return nil }
            let sources = mapping.tableSources(of: description, in: entity.description)
            let destination = new.entities[table.inverse.entity]
            return LinkCopy(
                entity: entity.name, name: table.name,
                sources: try sources.map { try links([$0]) },
                source: newRow("link.source", of: entity.name),
                target: newRow("link.target", of: destination.name),
                positions: table.positions, isSymmetric: table.isSymmetric,
                isUnchanged: try isUnchanged(sources, in: table)
                    && renumbered.isDisjoint(
                        with: [entity.family.tableName, destination.family.tableName])
            )
        }
    }

    private func isUnchanged(
        _ sources: [ModelMapping.LinkSource], in table: LinkTable
    ) throws -> Bool {
        guard sources.count == 1, let source = sources.first else { return false }
        let owner = try old.entity(source.entity.name)
        guard
            let relationship = owner.toMany.first(where: { $0.name == source.relationship.name }),
            case .table(let before) = relationship.storage
        else { return false }
        let former = [source.entity.name, source.relationship.destination]
        let ends = [table.owner, table.inverse].map { new.entities[$0.entity].name }
        return before.table.name == table.name && before.isSymmetric == table.isSymmetric
            && before.isOwner != source.isSwapped
            && zip(source.isSwapped ? former.reversed() : former, ends).allSatisfy {
                mapping.leavers(of: $0, to: $1).isEmpty
            }
    }
}

/// The SQL that copies the links of a relationship into the new model's table for them.
struct LinkCopy {
    /// The entity whose relationship gives the table its name.
    let entity: String
    /// The table's name.
    let name: String
    /// Statements that give the old links.
    let sources: [String]
    /// The new numbers of a link's ends.
    let source: String
    let target: String
    /// The columns of places that the new table has.
    let positions: [String]
    let isSymmetric: Bool
    /// Whether the old table holds the same links in the same columns.
    let isUnchanged: Bool

    /// Counts the old links.
    var count: String {
        sources.isEmpty
            ? "SELECT 0"
            : "SELECT count(*) FROM (\(sources.joined(separator: " UNION ALL ")))"
    }

    /// Fills a table with the links.
    func statements(into table: String) -> [String] {
        sources.flatMap { links in
            let statement = insertion(of: links, into: table)
            guard isSymmetric else { return [statement] }
            // Each link of a relationship that is its own inverse stands in both directions.
            let swapped =
                "SELECT target AS source, source AS target, NULL AS position,"
                + " NULL AS inversePosition FROM (\(links))"
            return [statement, insertion(of: swapped, into: table)]
        }
    }

    private func insertion(of links: String, into table: String) -> String {
        let columns = (["source", "target"] + positions).joined(separator: ", ")
        let updates = positions.map {
            "\($0) = coalesce(min(\($0), excluded.\($0)), \($0), excluded.\($0))"
        }
        return "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM ("
            + "SELECT \(source) AS source, \(target) AS target, position, inversePosition"
            + " FROM (\(links)) AS link) WHERE source IS NOT NULL AND target IS NOT NULL"
            + " ON CONFLICT DO "
            + (updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))")
    }
}
