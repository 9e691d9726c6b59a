import Foundation

/// Objects' members. What writes a value says whether there was one to write.
extension Exporter {
    func write(_ tree: ExportTree, of object: Object) throws {
        output.append("{")
        try write(tree.members, of: object)
        output.append("}")
    }

    private func write(_ members: some Sequence<ExportTree.Member>, of object: Object) throws {
        for member in members {
            let start = output.count
            if output.last != UInt8(ascii: "{") { output.append(",") }
            output.append(member.key)
            if try !writeValue(of: member, of: object) { output.cut(to: start) }
        }
    }

    private func writeValue(of member: ExportTree.Member, of object: Object) throws -> Bool {
        if let value = member.entityValue,
            member.field.map({ $0 >= object.values.count || object.values[$0] == .null }) ?? true
        {
            output.append(string: value)
            return true
        }
        guard member.members.isEmpty else { return try writeMerged(member, of: object) }
        return try member.field.map { try writeField($0, of: object, asObject: false) } ?? false
    }

    /// Writes the object at a key where a field ends and others go on: the members of what is
    /// linked, or of the JSON, and those that this has not.
    private func writeMerged(_ member: ExportTree.Member, of object: Object) throws -> Bool {
        let start = output.count
        if let field = member.field, try writeField(field, of: object, asObject: true) {
            let value = Data(output.text(from: start))
            let isNull = value == Data("null".utf8)
            if isNull, !hasValue(member.members, in: object) { return true }
            if !isNull {
                guard let keys = try JSONDocument(value, depthLimit: .max).root.keys else {
                    return true
                }
                let written = Set(keys.map(ExportTree.Member.quoted))
                output.cut(to: output.count - 1)
                try write(member.members.lazy.filter { !written.contains($0.key) }, of: object)
                output.append("}")
                return true
            }
            output.cut(to: start)
        }
        output.append("{")
        try write(member.members, of: object)
        output.append("}")
        return output.count > start + 2
    }

    /// Whether one of the attributes and to-one relationships of members is not empty.
    private func hasValue(_ members: [ExportTree.Member], in object: Object) -> Bool {
        members.contains { member in
            let isFilled = member.field.map {
                $0 < object.values.count && object.values[$0] != .null
            }
            return isFilled ?? false || hasValue(member.members, in: object)
        }
    }

    // MARK: Fields

    private func writeField(_ field: Int, of object: Object, asObject: Bool) throws -> Bool {
        let attributeCount = object.entity.plan.attributeCount
        if field < attributeCount { return try writeAttribute(field, of: object) }
        guard relationships != .omitted else { return false }
        let relationship = object.entity.relationships[field - attributeCount]
        let direction = trail.direction(of: relationship)
        // With other members beside it, what is left out would be missing from the object there.
        if direction == .straightBack, !asObject { return false }
        let place = LinkPlace(
            destination: relationship.destination, isOnward: direction == .onward,
            asObject: asObject)
        trail.follow(relationship)
        defer { trail.goBack() }
        guard field < object.values.count else {
            try writeList(of: field - object.values.count, of: object, at: place)
            return true
        }
        guard case .integer(let row) = object.values[field] else {
            output.append("null")
            return true
        }
        return try writeLinked(row, at: place)
    }

    private func writeAttribute(_ column: Int, of object: Object) throws -> Bool {
        let value = object.values[column]
        guard value != .null else {
            output.append("null")
            return true
        }
        let plan = object.entity.plan
        do {
            return try plan.columns[column].writeJSON(of: value, to: &output)
        } catch let error as StoreError {
            throw StoreError(
                error.reason,
                "\(plan.name).\(plan.columnNames[column]) holds \(value): \(error.message)")
        }
    }

    // MARK: Linked objects

    /// The place in the JSON where linked objects are written.
    private struct LinkPlace {
        /// The entity that the relationship leads to.
        let destination: EntityPlan
        /// Whether there is room for whole objects.
        let isOnward: Bool
        /// Whether other members stand beside those of the linked object.
        let asObject: Bool
    }

    private func writeList(of index: Int, of object: Object, at place: LinkPlace) throws {
        output.append("[")
        for row in try object.entity.rows(of: index, owner: object.row) {
            let start = output.count
            if output.last != UInt8(ascii: "[") { output.append(",") }
            if try !writeLinked(row, at: place) { output.cut(to: start) }
        }
        output.append("]")
    }

    /// Writes a linked object, or its identity where that stands for it.
    private func writeLinked(_ row: Int64, at place: LinkPlace) throws -> Bool {
        if relationships == .identities || !place.isOnward, !place.asObject,
            case .rowid(let column) = place.destination.identity
        {
            return try place.destination.columns[column]
                .writeJSON(of: .integer(row), to: &output)
        }
        guard let object = try object(in: row, as: place.destination) else { return false }
        let isWanted = relationships == .nested && place.isOnward && object.isComplete
        if isWanted || !object.isIdentified, trail.allows(object.place) {
            try write(object)
            return true
        }
        guard object.isIdentified else { return false }
        if place.asObject {
            try write(object.entity.identityTree, of: object)
        } else {
            try writeIdentity(of: object, as: place.destination)
        }
        return true
    }

    /// Writes what stands for an object where an entity is expected: the identity itself where that is
    /// one attribute, else an object of the attributes that identify it.
    func writeIdentity(of object: Object, as entity: EntityPlan) throws {
        // An identity that extends the parent's is not found by the parent's part of it.
        let isParents = object.entity.plan.family.uniqueScope == entity.family.uniqueScope
        guard isParents, let column = entity.referringColumn else {
            return try write(object.entity.identityTree, of: object)
        }
        if try !writeAttribute(column, of: object) { output.append("null") }
    }
}
