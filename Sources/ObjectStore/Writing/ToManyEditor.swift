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
        try change(objects) { try writer.add($0) }
    }

    /// Takes away the link to an object; the object stays.
    ///
    /// - Throws: `WritingError` where the object can't be without the relationship that leads back.
    public func remove(_ object: Destination) throws { try remove(One(object)) }

    /// Takes away the link to an object, where there is one; the object stays.
    public func remove(_ object: One<Destination>) throws {
        try change {
            let link = EntityValues.Links.listed([EntityValues.link(object)])
            try writer.remove(objects.rows(of: link, in: destination, isMaking: false) ?? [])
        }
    }

    /// Takes away the links to objects; the objects stay, and those that are not in the store are left out.
    public func remove(_ objects: Many<Destination>) throws {
        try change(objects, isMaking: false) { try writer.remove($0) }
    }

    /// Takes away all links.
    public func removeAll() throws { try change { try writer.set([]) } }

    /// Makes the links exactly these, in this order.
    public func set(_ objects: Many<Destination>) throws {
        try change(objects) { try writer.set($0) }
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

    /// Changes the links to some objects, none of which `.unchanged` names.
    private func change(
        _ objects: Many<Destination>, isMaking: Bool = true, _ body: ([Int64]) throws -> Void
    ) throws {
        try change {
            let links = EntityValues.links(objects)
            if let rows = try self.objects.rows(of: links, in: destination, isMaking: isMaking) {
                try body(rows)
            }
        }
    }

    private var objects: ObjectWriter { ObjectWriter(context: writer.context) }

    private var destination: EntityPlan {
        writer.context.store.plan.entities[writer.relationship.destination]
    }

    private func row(of object: One<Destination>) throws -> Int64 {
        guard let row = try objects.row(of: EntityValues.link(object), in: destination) else {
            throw StoreError.missingObject(of: destination)
        }
        return row
    }
}

/// Changes which object a to-one relationship of one object leads to.
///
/// Made by `Context.edit`, and only valid as long as its context is. The other side of the
/// relationship changes along.
public struct ToOneEditor<Destination: Entity> {
    let context: Context
    let entity: EntityPlan
    let column: Int
    let owner: Int64

    /// Leads to an object, which is saved where the store does not have it.
    public func set(_ object: Destination) throws { try set(One(object)) }

    /// Leads to an object, or to none for nil.
    ///
    /// - Throws: `WritingError` for nil where the relationship must lead to an object.
    public func set(_ object: One<Destination>?) throws {
        try context.writing {
            let destination = context.store.plan.entities[entity.columns[column].destination]
            let row = try object.flatMap {
                try ObjectWriter(context: context).row(of: EntityValues.link($0), in: destination)
            }
            guard row != nil || entity.columns[column].isOptional else {
                throw WritingError(
                    entity: entity.name, attribute: entity.columnNames[column], reason: .missing)
            }
            try context.point(column, of: owner, in: entity, to: row)
        }
    }

    /// Leads to no object any more.
    public func clear() throws { try set(nil) }
}

extension Context {
    /// Changes which objects a to-many relationship of an object links:
    /// `try context.edit(\.labels, of: issue).add(bug)`.
    ///
    /// - Throws: `StoreError` where the object is not in the store.
    public func edit<Object: Entity, Destination: Entity>(
        _ relationship: KeyPath<Object.Columns, ToManyColumn<Destination>>, of object: Object
    ) throws -> ToManyEditor<Destination> {
        try edit(relationship, of: One(object))
    }

    /// Changes which objects a to-many relationship of an object links.
    public func edit<Object: Entity, Destination: Entity>(
        _ relationship: KeyPath<Object.Columns, ToManyColumn<Destination>>, of object: One<Object>
    ) throws -> ToManyEditor<Destination> {
        let column = Object.Columns(path: ColumnPath())[keyPath: relationship]
        let (entity, owner) = try place(of: object)
        let (path, name) = ToManyColumn.place(of: column)
        guard path.isEmpty,
            let index = entity.toMany.firstIndex(where: { $0.name == name })
        else { throw ObjectWriter(context: self).unknown(name, of: entity) }
        return ToManyEditor(
            writer: LinkWriter(context: self, entity: entity, index: index, owner: owner))
    }

    /// Changes which object a to-one relationship of an object leads to:
    /// `try context.edit(\.user, of: issue).set(ann)`.
    ///
    /// - Throws: `StoreError` where the object is not in the store.
    public func edit<Object: Entity, Destination: Entity>(
        _ relationship: KeyPath<Object.Columns, ToOneColumn<Destination>>, of object: Object
    ) throws -> ToOneEditor<Destination> {
        try edit(relationship, of: One(object))
    }

    /// Changes which object a to-one relationship of an object leads to.
    public func edit<Object: Entity, Destination: Entity>(
        _ relationship: KeyPath<Object.Columns, ToOneColumn<Destination>>, of object: One<Object>
    ) throws -> ToOneEditor<Destination> {
        let column = Object.Columns(path: ColumnPath())[keyPath: relationship]
        let (entity, owner) = try place(of: object)
        let (path, name) = ToOneColumn.place(of: column)
        guard path.isEmpty, let index = entity.columnNames.firstIndex(of: name),
            entity.columns[index].destination >= 0
        else { throw ObjectWriter(context: self).unknown(name, of: entity) }
        return ToOneEditor(context: self, entity: entity, column: index, owner: owner)
    }

    private func place<Object: Entity>(
        of object: One<Object>
    ) throws -> (entity: EntityPlan, row: Int64) {
        try checkOpen()
        let entity = try store.plan.entity(Object.entityName)
        let writer = ObjectWriter(context: self)
        guard let row = try writer.existingRow(of: EntityValues.link(object), in: entity) else {
            throw StoreError.missingObject(of: entity)
        }
        return (entity, row)
    }
}
