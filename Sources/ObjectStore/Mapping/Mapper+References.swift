/// Objects that lack what is required: those that others complete, and references.
extension Mapper {
    /// Says what has become of a row to which an object has been written that does not name all that
    /// is required.
    ///
    /// It is an object if nothing is empty, else a reference where it may be one. Otherwise the document
    /// must bring the rest.
    ///
    /// - Parameter nulls: The columns that the document has said before to be empty.
    func settle(
        _ outcome: RowOutcome, _ columns: ColumnSet, _ nulls: ColumnSet, of frame: MapperFrame,
        at node: Int, in role: ObjectRole
    ) throws -> RowOutcome {
        let entity = frame.entity
        let named = columns.intersection(entity.defaultColumns)
        let standing = try rows.complete(
            outcome.row, of: entity, besides: named.union(nulls),
            unless: role.kind == .partial && isBare(columns, of: frame))
        let empty = standing.isReference ? named.filter { isEmpty($0, of: frame) } : []
        noteNulls(
            standing.isReference ? empty.reduce(into: nulls) { $0.insert($1) } : [],
            in: outcome.row, of: entity)
        var outcome = outcome
        guard standing.missing != nil else {
            outcome.isReference = standing.isReference
            if standing.isCompleted, outcome.kind == .unchanged { outcome.kind = .updated }
            return outcome
        }
        outcome.isReference = true
        if role.kind == .top || !namesIdentityOnly(columns, of: frame) {
            expectCompletion(of: outcome.row, as: entity, at: node, .missing)
        } else if role.kind == .linked, outcome.kind == .inserted, restoration == nil,
            let column = entity.referringColumn,
            entity.mayBeReferred(to: tape.kind(Int(frame.values[column])))
        {
            // A bare identity could have said it, without being taken for an object with a mistake. Where only what
            // is missing is brought back, the rest of it may stand inside of what stays.
            expectCompletion(of: outcome.row, as: entity, at: node, .unknownReference)
        }
        return outcome
    }

    /// Whether of all that is required an object has nothing but its identity.
    private func namesIdentityOnly(_ columns: ColumnSet, of frame: MapperFrame) -> Bool {
        let entity = frame.entity
        return entity.identifying.contains {
            frame.values[$0] >= 0 && tape.kind(Int(frame.values[$0])) != .null
        }
            && entity.requiredRest.intersection(columns).allSatisfy {
                frame.values[$0] == MapperFrames.givenRow
            }
    }

    /// Whether an object has nothing but what identifies it, and there is more to an object.
    func isBare(_ columns: ColumnSet, of frame: MapperFrame) -> Bool {
        let entity = frame.entity
        guard !entity.identifying.isEmpty, !entity.isWholeByIdentity, !frame.hasToMany else {
            return false
        }
        // A part of the identity may be empty, but not all of it.
        return columns.allSatisfy {
            entity.identifying.contains($0) || frame.values[$0] == MapperFrames.givenRow
        } && entity.identifying.contains { !isEmpty($0, of: frame) }
    }
}

/// The role that its place in the JSON gives an object.
struct ObjectRole {
    /// The kind of role, by what an object may be that lacks what is required.
    enum Kind {
        /// Nothing: it stands for itself.
        case top
        /// A reference, where it is known: it stands where a relationship leads.
        case linked
        /// A reference in any case, since the relationship says so.
        case partial
    }

    var kind = Kind.top
    /// Whether it is of a list that stands for itself, as far as lists are known by now.
    var isListed = false
    /// A to-one column that the place already says, and the row to put there.
    var owner: (column: Int, row: Int64)?

    /// The role of what a relationship leads to.
    static func linked(isPartial: Bool, owner: (column: Int, row: Int64)? = nil) -> ObjectRole {
        ObjectRole(kind: isPartial ? .partial : .linked, owner: owner)
    }
}
