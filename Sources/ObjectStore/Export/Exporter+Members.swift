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
        if let field = member.field, !member.members.isEmpty,
            field >= object.entity.plan.attributeCount
        {
            return try writeLink(field, with: member.members, of: object)
        }
        guard member.members.isEmpty else { return try writeMerged(member, of: object) }
        return try member.field.map { try writeField($0, of: object) } ?? false
    }

    /// Writes the object at a key where an attribute may end and others go on: the members of its JSON,
    /// and those that this has not.
    private func writeMerged(_ member: ExportTree.Member, of object: Object) throws -> Bool {
        let start = output.count
        if let field = member.field, try writeAttribute(field, of: object) {
            let value = Data(output.text(from: start))
            let isNull = value == Data("null".utf8)
            if isNull, try !hasValue(member.members, in: object) { return true }
            if !isNull {
                guard let keys = try JSONDocument(value, depthLimit: .max).root.keys else {
                    return true
                }
                let written = Set(keys.map(ExportTree.Member.quoted))
                try add(member.members.filter { !written.contains($0.key) }, of: object)
                return true
            }
            output.cut(to: start)
        }
        output.append("{")
        try write(member.members, of: object)
        output.append("}")
        return output.count > start + 2
    }

    /// Writes further members into the object that has just been written.
    private func add(_ members: [ExportTree.Member], of object: Object) throws {
        output.cut(to: output.count - 1)
        try write(members, of: object)
        output.append("}")
    }

    /// Whether one of the fields of members is not empty, relationships only where they are written.
    private func hasValue(_ members: [ExportTree.Member], in object: Object) throws -> Bool {
        try members.contains { member in
            if member.entityValue != nil { return true }
            if let field = member.field, try hasValue(field, in: object) { return true }
            return try hasValue(member.members, in: object)
        }
    }

    private func hasValue(_ field: Int, in object: Object) throws -> Bool {
        let isAttribute = field < object.entity.plan.attributeCount
        guard isAttribute || relationships != .omitted else { return false }
        let list = field - object.values.count
        guard list >= 0 else { return object.values[field] != .null }
        return try !object.entity.rows(of: list, owner: object.row).isEmpty
    }

    // MARK: Members beside a linked object's

    /// Writes what a relationship leads to where members of the object itself go on from its key.
    ///
    /// Who reads the JSON takes what stands there for both. So it says of the linked object what that
    /// says itself: written whole it has its own keys, and as an identity it is an object only where the
    /// others would be lost. Without one there is nothing they could stand in.
    private func writeLink(
        _ field: Int, with members: [ExportTree.Member], of object: Object
    ) throws -> Bool {
        let plan = object.entity.plan
        let relationship = object.entity.relationships[field - plan.attributeCount]
        guard relationships != .omitted, field < object.values.count,
            case .integer(let row) = object.values[field],
            let linked = try self.object(in: row, as: relationship.destination)
        else { return try writeField(field, of: object) }
        let isOnward = trail.direction(of: relationship) == .onward
        trail.follow(relationship)
        let isWhole = isWhole(linked, isOnward: isOnward)
        if isWhole { try write(linked) }
        trail.goBack()
        let tree = linked.entity.tree
        var others = members.filter { !tree.has($0.key) }
        if isWhole {
            try add(others, of: object)
            return true
        }
        if linked.isComplete {
            others = try self.members(members, of: object, fitting: tree.members, of: linked)
        }
        guard linked.isIdentified, try hasValue(others, in: object) else {
            return try writeField(field, of: object)
        }
        let start = output.count
        let isSaid = try writeIdentity(of: linked, as: relationship.destination)
        let isObject = isSaid && output.text(from: start).first == UInt8(ascii: "{")
        output.cut(to: start)
        // As an object, unless it has no other form, a reference would become one, or be refused.
        let mayBeObject =
            linked.isComplete || isObject
            || plan.columns[field].isPartial && !linked.entity.plan.description.isAbstract
        guard isSaid, mayBeObject else { return try writeField(field, of: object) }
        let identity = linked.entity.identityTree
        try write(identity, of: linked)
        try add(others.filter { !identity.has($0.key) }, of: object)
        return true
    }

    /// The members that may stand beside a linked object's identity: those at keys that it does not
    /// have, and attributes that have its own values.
    private func members(
        _ members: [ExportTree.Member], of object: Object, fitting own: [ExportTree.Member],
        of linked: Object
    ) throws -> [ExportTree.Member] {
        try members.compactMap { member in
            guard let twin = own.first(where: { $0.key == member.key }) else { return member }
            if member.isGroup, twin.isGroup {
                let inner = try self.members(
                    member.members, of: object, fitting: twin.members, of: linked)
                return inner.isEmpty ? nil : member.with(inner)
            }
            guard let value = try value(of: member, of: object) else { return nil }
            // What can't be written of the linked object is none of the same.
            return value == (try? self.value(of: twin, of: linked)) ? member : nil
        }
    }

    /// The JSON of an attribute that nothing goes on from; nil where it is empty, or no attribute.
    private func value(of member: ExportTree.Member, of object: Object) throws -> [UInt8]? {
        let isAttribute = member.field.map { $0 < object.entity.plan.attributeCount } ?? true
        guard isAttribute, member.members.isEmpty else { return nil }
        let start = output.count
        defer { output.cut(to: start) }
        guard try writeValue(of: member, of: object) else { return nil }
        let value = Array(output.text(from: start))
        return value == Array("null".utf8) ? nil : value
    }

    // MARK: Fields

    private func writeField(_ field: Int, of object: Object) throws -> Bool {
        let attributeCount = object.entity.plan.attributeCount
        if field < attributeCount { return try writeAttribute(field, of: object) }
        guard relationships != .omitted else { return false }
        let relationship = object.entity.relationships[field - attributeCount]
        let direction = trail.direction(of: relationship)
        if direction == .straightBack { return false }
        let place = LinkPlace(
            destination: relationship.destination, isOnward: direction == .onward)
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
        if relationships == .identities || !place.isOnward,
            case .rowid(let column) = place.destination.identity,
            case let identity = place.destination.columns[column], identity.converter?.json == nil
        {
            return try identity.writeJSON(of: .integer(row), to: &output)
        }
        guard let object = try object(in: row, as: place.destination) else { return false }
        if isWhole(object, isOnward: place.isOnward) {
            try write(object)
            return true
        }
        guard object.isIdentified else { return false }
        return try writeIdentity(of: object, as: place.destination)
    }

    /// Whether a linked object is written itself, at the end of the way's last step.
    private func isWhole(_ object: Object, isOnward: Bool) -> Bool {
        let isWanted = relationships == .nested && isOnward && object.isComplete
        return (isWanted || !object.isIdentified) && trail.allows(object.place)
    }

    /// Writes what stands for an object where an entity is expected: the identity itself where that
    /// is one attribute and may be bare, else an object of the attributes that identify it; false
    /// where a transformer makes nothing of the identity.
    func writeIdentity(of object: Object, as entity: EntityPlan) throws -> Bool {
        // An identity that extends the parent's is not found by the parent's part of it.
        let isParents = object.entity.plan.family.uniqueScope == entity.family.uniqueScope
        if isParents, let column = entity.referringColumn {
            let start = output.count
            guard try writeAttribute(column, of: object) else { return false }
            let kind = kind(ofValueFrom: start)
            if entity.mayBeReferred(to: kind) { return true }
            // An object or an array would be taken for what is linked itself.
            output.cut(to: start)
            if kind == .null { return false }
        }
        try write(object.entity.identityTree, of: object)
        return true
    }

    /// The kind of the value that has been written since there were so many bytes, all numbers and
    /// strings alike, and both truth values.
    private func kind(ofValueFrom start: Int) -> JSONNodeKind {
        switch output.text(from: start).first {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .true
        case UInt8(ascii: "n"): .null
        default: .plainString
        }
    }
}
