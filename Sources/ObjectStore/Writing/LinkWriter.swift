/// Changes the links of one object's to-many relationship, whichever way they are kept.
struct LinkWriter {
    let context: Context
    let entity: EntityPlan
    let index: Int
    let owner: Int64

    var relationship: ToManyPlan { entity.toMany[index] }

    private var connection: Connection { context.connection }
    private var destination: EntityPlan { context.store.plan.entities[relationship.destination] }

    /// Whether the links have an order of their own.
    var isOrdered: Bool {
        if case .table(let links) = relationship.storage { links.position != nil } else { false }
    }

    /// Whether an object can be in the list of one owner only, since the links are in its column.
    var isExclusive: Bool {
        if case .column = relationship.storage { true } else { false }
    }

    /// The linked rows, in order.
    func rows() throws -> [Int64] {
        switch relationship.storage {
        case .table(let table): try links(in: table).rows
        case .column(let column):
            try context.rows.rows(of: destination, leadingTo: owner, by: column)
        }
    }

    private func links(in table: LinkSide) throws -> LinkStatements.Links {
        let statements = try statements(of: table)
        // Others may write before the next owner is asked for.
        defer { statements.close() }
        return try context.rows.links(of: owner, by: statements)
    }

    /// Makes the links exactly these, in this order.
    func set(_ after: [Int64]) throws {
        switch relationship.storage {
        case .table(let table):
            let before = try links(in: table)
            // Links that are in this order by chance have no places yet.
            guard after != before.rows || isOrdered && !before.areInPlace else { return }
            let difference = try context.rows.link(
                after, to: owner, insteadOf: before, by: try statements(of: table))
            try context.statements.writeLinks()
            try count(linked: difference.new.count, unlinked: difference.gone.count)
        case .column:
            let before = try rows()
            guard after != before else { return }
            let difference = LinkDifference(from: before, to: after)
            try unlink(difference.gone)
            for row in difference.new { try link(row) }
            try count(linked: difference.new.count, unlinked: difference.gone.count)
        }
    }

    /// Adds links behind those that there are.
    func add(_ added: [Int64]) throws {
        var place: Int64?
        if isOrdered {
            place = try placeBehindAll()
            guard place != nil else {
                // Those that only the other side has made have no place yet.
                let before = try rows()
                let new = RowList.difference(added, before)
                return new.isEmpty ? () : try set(before + new)
            }
        }
        var linked = 0
        for row in added where try !isLinked(row) {
            try link(row, at: place.map { $0 + Int64(linked) })
            linked += 1
            try context.statements.writeLinks()
        }
        try count(linked: linked, unlinked: 0)
    }

    /// Takes links away.
    func remove(_ removed: [Int64]) throws {
        let gone = try removed.filter { try isLinked($0) }
        try unlink(gone)
        try count(linked: 0, unlinked: gone.count)
    }

    private func isLinked(_ row: Int64) throws -> Bool {
        let links = LinkQuery(relationship, in: context.store.plan)
        let select = try connection.prepare(
            "SELECT 1 FROM \(links.table) AS l WHERE l.\(links.source) = ? AND l.\(links.target) = ?"
                + (links.rowScope.map { " AND \($0)" } ?? ""))
        select.bind(owner, at: 1)
        select.bind(row, at: 2)
        defer { select.reset() }
        return try select.step()
    }

    /// The place behind all links that there are, nil where one of them has none, or there is no more.
    private func placeBehindAll() throws -> Int64? {
        guard case .table(let table) = relationship.storage, let position = table.position else {
            return nil
        }
        try context.statements.writeLinks()
        let select = try connection.prepare(
            "SELECT coalesce(max(\(position)), -1), count(*) - count(\(position))"
                + " FROM \(table.name) WHERE \(table.source) = ?")
        select.bind(owner, at: 1)
        defer { select.reset() }
        guard try select.step(), select.integer(at: 1) == 0 else { return nil }
        let last = select.integer(at: 0)
        return last < Int64(Int32.max) ? last + 1 : nil
    }

    private func link(_ row: Int64, at place: Int64? = nil) throws {
        switch relationship.storage {
        case .table(let table):
            try statements(of: table).insert(owner, row, position: place)
        case .column(let column):
            try context.point(column, of: row, in: destination, to: owner)
        }
    }

    private func unlink(_ rows: [Int64]) throws {
        guard !rows.isEmpty else { return }
        switch relationship.storage {
        case .table(let table):
            let statements = try statements(of: table)
            for row in rows { try statements.delete(owner, row) }
        case .column(let column):
            guard destination.columns[column].isOptional else {
                throw WritingError(
                    entity: destination.name, attribute: destination.columnNames[column],
                    reason: .leftWithout(count: rows.count))
            }
            for row in rows { try context.point(column, of: row, in: destination, to: nil) }
        }
    }

    private func statements(of table: LinkSide) throws -> LinkStatements {
        try context.statements.links(table, of: index, in: entity)
    }

    private func count(linked: Int, unlinked: Int) throws {
        guard linked + unlinked > 0 else { return }
        let concrete = try context.rows.entity(of: owner, as: entity)
        context.expectRules(of: owner, as: concrete)
        context.count(concrete.name) {
            $0.linked += linked
            $0.unlinked += unlinked
        }
    }
}
