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
                try ObjectWriter(context: context).row(of: ObjectValues.link($0), in: destination)
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
