/// Changes which objects a to-many relationship of one object links.
///
/// Made by `Context.edit`, and only valid as long as its context is. The other side of the
/// relationship changes along. An object that is linked is saved where the store does not have it,
/// and otherwise left as it is.
public struct ToManyEditor<Destination: Entity> {
    let writer: LinkWriter

    /// Links an object, behind the others where the relationship has an order.
    public func add(_ object: Destination) throws { try add([object]) }

    /// Links an object, behind the others where the relationship has an order.
    public func add(_ object: One<Destination>) throws {
        try change { try writer.add([row(of: object)]) }
    }

    /// Links objects, behind the others where the relationship has an order.
    public func add(_ objects: Many<Destination>) throws {
        try change { try writer.add(rows(of: objects)) }
    }

    /// Takes away the link to an object; the object stays.
    ///
    /// - Throws: `WritingError` where the object can't be without the relationship that leads back.
    public func remove(_ object: Destination) throws { try remove(One(object)) }

    /// Takes away the link to an object; the object stays.
    public func remove(_ object: One<Destination>) throws {
        try change { try writer.remove(existingRow(of: object).map { [$0] } ?? []) }
    }

    /// Takes away the links to objects; the objects stay.
    public func remove(_ objects: Many<Destination>) throws {
        try change { try writer.remove(rows(of: objects)) }
    }

    /// Takes away all links.
    public func removeAll() throws { try change { try writer.set([]) } }

    /// Makes the links exactly these, in this order.
    public func set(_ objects: Many<Destination>) throws {
        try change { try writer.set(rows(of: objects)) }
    }

    /// Puts an object at a place in the order, linking it if need be; the place is counted without
    /// the object, and past the end is the end.
    ///
    /// - Throws: `WritingError` where the relationship has no order.
    public func move(_ object: Destination, to index: Int) throws {
        try move(One(object), to: index)
    }

    /// Puts an object at a place in the order, linking it if need be.
    public func move(_ object: One<Destination>, to index: Int) throws {
        try change {
            guard writer.isOrdered else {
                throw WritingError(
                    entity: writer.entity.name, attribute: writer.relationship.name,
                    reason: .unfit("the relationship has no order"))
            }
            let row = try row(of: object)
            var rows = try writer.rows().filter { $0 != row }
            rows.insert(row, at: min(max(index, 0), rows.count))
            try writer.set(rows)
        }
    }

    private func change(_ body: () throws -> Void) throws {
        try writer.context.writing(body)
    }

    private var objects: ObjectWriter { ObjectWriter(context: writer.context) }

    private var destination: EntityPlan {
        writer.context.store.plan.entities[writer.relationship.destination]
    }

    private func row(of object: One<Destination>) throws -> Int64 {
        guard let row = try objects.row(of: ObjectValues.link(object), in: destination) else {
            throw StoreError.missingObject(of: destination)
        }
        return row
    }

    private func existingRow(of object: One<Destination>) throws -> Int64? {
        try objects.existingRow(of: ObjectValues.link(object), in: destination)
    }

    private func rows(of objects: Many<Destination>) throws -> [Int64] {
        try self.objects.rows(
            of: ObjectValues.links(objects), in: destination, unless: writer) ?? writer.rows()
    }
}
