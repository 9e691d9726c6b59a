/// The columns of an entity, as queries name them.
///
/// `@Entity` writes a type `Columns` with a property for each attribute (`Column`) and
/// relationship (`ToOneColumn`, `ToManyColumn`).
public protocol EntityColumns: Sendable {
    /// Names the columns of the entity that a path leads to.
    init(path: ColumnPath)
}
