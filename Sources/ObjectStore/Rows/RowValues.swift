/// The values to be written of one object, wherever they come from.
protocol RowValues {
    /// The entity that the values are those of.
    var entity: EntityPlan { get }

    /// The row of the object where that is known without asking the store.
    var knownRow: Int64? { get }

    /// Whether a column has no value.
    func isEmpty(_ column: Int) -> Bool

    /// Binds columns to their parameters; those without a value are null.
    func bind(_ columns: ColumnSet, to target: ColumnStatement) throws

    /// The error that whoever brings the values makes of a refusal.
    func error(_ refusal: RowRefusal) -> any Error
}

extension RowValues {
    /// Whether nothing of what identifies the object has a value.
    var hasEmptyIdentity: Bool { entity.identifying.columns.allSatisfy(isEmpty) }
}

/// The reason why a row is not written.
enum RowRefusal {
    /// A row that must be there is not.
    case missingRow
    /// An object of another entity has the identity.
    case otherEntity(EntityPlan)
    /// There are no objects of the entity itself.
    case abstract(EntityPlan)
    /// A constraint of the database refuses the row.
    case constraint(String)
}
