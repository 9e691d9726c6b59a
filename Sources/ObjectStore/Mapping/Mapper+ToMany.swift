extension Mapper {
    /// Maps the objects of a to-many relationship and makes the links what the array says.
    func mapToMany(_ index: Int, of owner: MapperOutcome, in frame: MapperFrame) throws {
        let entity = frame.entity
        let relationship = entity.toMany[index]
        let field = entity.columns.count + index
        let node = Int(frame.values[field])
        guard node >= 0 else { return }
        let isNull = tape.kind(node) == .null
        guard isNull || tape.kind(node) == .array else {
            throw unexpected(node, "an array", entity: entity, field: field)
        }
        let destination = plan.entities[relationship.destination]
        var backlink: (column: Int, row: Int64)?
        if case .column(let column) = relationship.storage { backlink = (column, owner.row) }
        let before =
            owner.kind == .inserted ? [] : try linkedRows(relationship, index, owner, of: entity)
        let named = isNull ? [] : try mapElements(of: node, as: destination, owner: backlink)
        let after = relationship.policy == .union ? Self.union(before, named) : named
        guard after != before else { return }
        let gone = Set(before).subtracting(after)
        let new = Set(after).subtracting(before)
        switch relationship.storage {
        case .table(let table):
            try write(
                after, before: before, gone: gone, to: table,
                by: statements.links(table, of: index, in: entity), owner: owner.row)
        case .column(let column):
            if relationship.policy != .replace {
                try detach(gone, from: column, of: destination, at: node)
            }
        }
        if relationship.policy == .replace { try delete(gone, of: destination) }
        tallies[entity.index].noteLinks(linked: new.count, unlinked: gone.count)
    }

    /// Maps an array's elements and returns their rows, each once; null elements are passed over.
    func mapElements(
        of array: Int, as destination: EntityPlan, owner: (column: Int, row: Int64)? = nil
    ) throws -> [Int64] {
        var rows: [Int64] = []
        rows.reserveCapacity(tape.length(array))
        var element = tape.firstChild(array)
        let end = tape.next(array)
        while element < end {
            if tape.kind(element) != .null {
                rows.append(try map(element, as: destination, owner: owner))
            }
            element = tape.next(element)
        }
        return Self.union([], rows)
    }

    /// Appends the rows that are not there yet, in order.
    private static func union(_ rows: [Int64], _ more: [Int64]) -> [Int64] {
        var seen = Set(rows)
        return rows + more.filter { seen.insert($0).inserted }
    }

    private func linkedRows(
        _ relationship: ToManyPlan, _ index: Int, _ owner: MapperOutcome, of entity: EntityPlan
    ) throws -> [Int64] {
        let select: Statement
        switch relationship.storage {
        case .table(let table):
            select = try statements.links(table, of: index, in: entity).select
        case .column(let column):
            let destination = plan.entities[relationship.destination]
            select = try statements.connection.prepare(
                "SELECT \(destination.rowid) FROM \(destination.table)"
                    + " WHERE \(destination.columnNames[column].sqlName) = ?")
        }
        select.bind(owner.row, at: 1)
        defer { select.reset() }
        var rows: [Int64] = []
        while try select.step() { rows.append(select.integer(at: 0)) }
        return rows
    }

    private func write(
        _ after: [Int64], before: [Int64], gone: Set<Int64>, to table: ToManyPlan.LinkTable,
        by statements: LinkStatements, owner: Int64
    ) throws {
        for row in gone {
            statements.delete.bind(owner, at: 1)
            statements.delete.bind(row, at: 2)
            try statements.delete.run()
        }
        let known = table.position == nil ? Set(before) : []
        for (position, row) in after.enumerated() {
            if position < before.count, before[position] == row, gone.isEmpty { continue }
            if known.contains(row) { continue }
            statements.insert.bind(owner, at: 1)
            statements.insert.bind(row, at: 2)
            if table.position != nil { statements.insert.bind(Int64(position), at: 3) }
            try statements.insert.run()
        }
    }

    /// Empties the to-one column of objects that fell out of their owner's array.
    private func detach(
        _ rows: Set<Int64>, from column: Int, of entity: EntityPlan, at node: Int
    ) throws {
        guard !rows.isEmpty else { return }
        guard entity.columns[column].isOptional else {
            throw error(node, entity: entity, field: column, .requiredByInverse)
        }
        let update = try statements.connection.prepare(
            "UPDATE \(entity.table) SET \(entity.columnNames[column].sqlName) = NULL"
                + " WHERE \(entity.rowid) = ?")
        for row in rows {
            update.bind(row, at: 1)
            try update.run()
        }
    }

    /// Points an object that stands as a bare reference in its owner's array to that owner.
    func link(
        _ row: Int64, of entity: EntityPlan, to owner: (column: Int, row: Int64)
    ) throws {
        let name = entity.columnNames[owner.column].sqlName
        let update = try statements.connection.prepare(
            "UPDATE \(entity.table) SET \(name) = ?1"
                + " WHERE \(entity.rowid) = ?2 AND \(name) IS NOT ?1")
        update.bind(owner.row, at: 1)
        update.bind(row, at: 2)
        try update.run()
    }

    private func delete(_ rows: Set<Int64>, of entity: EntityPlan) throws {
        let delete = try statements.connection.prepare(
            "DELETE FROM \(entity.table) WHERE \(entity.rowid) = ?")
        for row in rows {
            delete.bind(row, at: 1)
            try delete.run()
        }
    }
}
