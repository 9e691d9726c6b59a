extension Mapper {
    /// Maps the objects of a to-many relationship and makes the links what the array says.
    ///
    /// - Parameters:
    ///   - place: The owner's node.
    ///   - deleted: How many rows had been deleted when the owner was written.
    func mapToMany(
        _ index: Int, of owner: RowOutcome, at place: Int, in frame: MapperFrame,
        aliveAt deleted: Int
    ) throws {
        let entity = frame.entity
        let field = entity.columns.count + index
        let node = Int(frame.values[field])
        guard node >= 0 else { return }
        let isNull = tape.kind(node) == .null
        guard isNull || tape.kind(node) == .array else {
            throw unexpected(node, "an array", entity: entity, field: field)
        }
        memory.noteNamed(list: index, of: entity)
        switch entity.toMany[index].storage {
        case .table(let table):
            try mapLinks(
                index, in: table, of: owner, at: place, as: entity, at: node, aliveAt: deleted)
        case .column(let column):
            memory.noteNamed([column], of: plan.entities[entity.toMany[index].destination])
            try mapChildren(
                index, by: column, of: owner, at: place, as: entity, at: node,
                aliveAt: deleted)
        }
    }

    /// Maps an array's elements and returns their rows, each once; null elements are passed over.
    func mapElements(
        of array: Int, as destination: EntityPlan, in role: ObjectRole = ObjectRole()
    ) throws -> [Int64] {
        guard tape.kind(array) == .array else { return [] }
        listing?.objects.noteList(of: destination, isOwn: role.kind == .top)
        var role = role
        role.isListed = role.kind == .top
        var list = RowList(capacity: storage.count(of: array))
        if var walk = storage.walk(through: array) {
            let storage = storage
            while let batch = try walk.batch() {
                try checkCancellation()
                try turn(to: batch)
                try mapElements(of: 0, as: destination, in: role, into: &list)
            }
            try turn(to: storage)
        } else {
            try mapElements(of: array, as: destination, in: role, into: &list)
        }
        return list.rows
    }

    private func mapElements(
        of array: Int, as destination: EntityPlan, in role: ObjectRole,
        into list: inout RowList
    ) throws {
        var element = tape.firstChild(array)
        let end = tape.next(array)
        var untilCheck = 256
        while element < end {
            untilCheck -= 1
            if untilCheck == 0 {
                try checkCancellation()
                untilCheck = 256
            }
            if tape.kind(element) != .null {
                let deleted = deletedCount
                guard let row = try map(element, as: destination, in: role) else {
                    element = tape.next(element)
                    continue
                }
                let isListed =
                    role.kind == .top && memory.isThere(row, of: destination, since: deleted)
                listing?.objects.note(row, of: destination, isListed ? .element : .nested)
                if isListed, let listing {
                    try ListLinking(of: listing, by: self)
                        .link(row, of: destination, .element, at: element)
                }
                if deletedCount == deleted {
                    list.append(row)
                } else if role.kind == .top {
                    memory.add(row, of: destination, to: &list, since: deleted)
                } else if areDeleted(list.rows, of: destination, since: deleted) {
                    throw error(element, entity: destination, field: nil, .leadsToDeleted)
                } else {
                    list.append(row)
                }
            }
            element = tape.next(element)
        }
    }

    // MARK: Links in a table

    private func mapLinks(
        _ index: Int, in table: LinkSide, of owner: RowOutcome, at place: Int,
        as entity: EntityPlan, at node: Int, aliveAt deleted: Int
    ) throws {
        let relationship = entity.toMany[index]
        let destination = plan.entities[relationship.destination]
        let named = try mapElements(
            of: node, as: destination, in: .linked(isPartial: relationship.isPartial))
        try checkIsThere(owner.row, of: entity, since: deleted, at: node, list: index)
        let statements = try statements.links(table, of: index, in: entity)
        // The elements come first: objects inside them may have linked the owner from their side.
        let isOrdered = statements.isOrdered
        if owner.kind == .inserted, !relationship.leadsBack {
            // Nobody can have linked the owner yet.
            for (position, row) in named.enumerated() {
                try statements.insert(
                    owner.row, row, position: isOrdered ? Int64(position) : nil)
            }
            // The rules of a new object are asked anyway.
            return memory.noteLinks(linked: named.count, unlinked: 0, of: entity)
        }
        let before = try rows.links(of: owner.row, by: statements)
        if before.are(named, inOrder: isOrdered) { return }
        var after = named
        if relationship.policy == .union || restoration != nil {
            after = before.rows + RowList.difference(named, before.rows)
        }
        if after == before.rows, !isOrdered || before.areInPlace { return }
        let difference = try rows.link(
            after, to: owner.row, insteadOf: before, by: statements)
        if relationship.policy == .replace {
            try delete(difference.gone, of: destination, at: node)
        }
        // An object inside its own list may have made the owner one of a sub-entity.
        try noteLinks(
            linked: difference.new.count, unlinked: difference.gone.count, of: owner.row,
            as: entity, at: place)
    }

    /// Counts links of an owner that have come and gone, and has its rules asked.
    private func noteLinks(
        linked: Int, unlinked: Int, of owner: Int64, as entity: EntityPlan, at node: Int
    ) throws {
        guard linked + unlinked > 0 else { return }
        let concrete = try counted(owner, as: entity)
        memory.noteLinks(linked: linked, unlinked: unlinked, of: concrete)
        if !concrete.rules.isEmpty { expectRules(of: owner, as: concrete, at: node) }
    }

    // MARK: Links in the destination's column

    private func mapChildren(
        _ index: Int, by column: Int, of owner: RowOutcome, at place: Int,
        as entity: EntityPlan, at node: Int, aliveAt deleted: Int
    ) throws {
        let relationship = entity.toMany[index]
        let destination = plan.entities[relationship.destination]
        let isFirst = owner.kind == .inserted
        var before = isFirst ? [] : try rows.rows(of: destination, leadingTo: owner.row, by: column)
        let deletedBefore = deletedCount
        // Mapping the elements makes the links.
        let after = try mapElements(
            of: node, as: destination,
            in: .linked(isPartial: relationship.isPartial, owner: (column, owner.row)))
        try checkIsThere(owner.row, of: entity, since: deleted, at: node, list: index)
        if deletedCount > deletedBefore {
            // Objects inside the elements have deleted some, which may have come anew.
            before = RowList.difference(
                before, memory.deletedRows(of: destination, since: deletedBefore))
        }
        var gone: [Int64] = []
        // What only brings back what is missing takes away nothing that may be newer.
        if relationship.policy != .union, restoration == nil, !isFirst || relationship.leadsBack {
            // Objects inside the elements may have taken some of them away already.
            let linked = try rows.rows(of: destination, leadingTo: owner.row, by: column)
            gone = RowList.difference(linked, after)
        }
        if relationship.policy == .replace {
            try delete(gone, of: destination, at: node)
        } else {
            try detach(gone, from: column, of: destination, at: node)
        }
        var new = RowList.difference(after, before)
        if restoration != nil {
            // Those that another owner has by now stay with that.
            let linked = Set(try rows.rows(of: destination, leadingTo: owner.row, by: column))
            new = new.filter(linked.contains)
        }
        try noteLinks(
            linked: new.count, unlinked: gone.count, of: owner.row, as: entity, at: place)
    }

    /// Empties the to-one column of objects that fell out of their owner's array; those that can't
    /// be without an owner must find another one in the document.
    private func detach(
        _ rows: [Int64], from column: Int, of entity: EntityPlan, at node: Int
    ) throws {
        for row in rows where try self.rows.point(column, of: row, in: entity, to: nil) {
            try noteRelinked(row, as: entity, at: node)
            if !entity.columns[column].isOptional {
                expectCompletion(of: row, as: entity, at: node, .requiredByInverse)
            }
        }
    }

    /// Points an object that stands as a bare reference in its owner's array to that owner.
    func link(
        _ row: Int64, of entity: EntityPlan, to owner: (column: Int, row: Int64), at node: Int
    ) throws {
        let isNew =
            restoration == nil
            ? try rows.point(owner.column, of: row, in: entity, to: owner.row)
            : try rows.fill(owner.column, of: row, in: entity, with: owner.row)
        guard isNew else { return }
        try noteRelinked(row, as: entity, at: node)
    }

    /// Counts an object of which a column has changed, and has its rules asked.
    func noteRelinked(_ row: Int64, as entity: EntityPlan, at node: Int) throws {
        let concrete = try counted(row, as: entity)
        memory.noteRelinked(row, of: concrete)
        if !concrete.rules.isEmpty { expectRules(of: row, as: concrete, at: node) }
    }
}
