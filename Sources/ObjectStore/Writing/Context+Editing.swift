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
        guard let row = try writer.existingRow(of: ObjectValues.link(object), in: entity) else {
            throw StoreError.missingObject(of: entity)
        }
        return (entity, row)
    }
}
