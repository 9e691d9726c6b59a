/// The outcome of writing a row.
struct RowOutcome {
    enum Kind: UInt8 { case inserted, updated, unchanged }

    let row: Int64
    var kind: Kind
    /// Whether the row is a reference still, for all that was written.
    var isReference = false
}

extension ImportReport.Counts {
    /// Counts an object that was written, or takes it back by -1.
    mutating func note(_ kind: RowOutcome.Kind, _ change: Int = 1) {
        switch kind {
        case .inserted: inserted += change
        case .updated: updated += change
        case .unchanged: unchanged += change
        }
    }
}

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
    var hasEmptyIdentity: Bool { entity.identifying.allSatisfy(isEmpty) }
}

/// The reason why a row is not written.
enum RowRefusal {
    /// A row that must be there is not.
    case missingRow
    /// An object of another entity has the identity.
    case otherEntity(EntityPlan)
    /// There are no objects of the entity itself.
    case abstract(EntityPlan)
    /// A column of the entity lacks a value that must be there.
    case missing(Int, EntityPlan)
    /// A constraint of the database refuses the row.
    case constraint(String)
}

/// A statement that writes columns of a row, and which of its parameters take their values.
struct ColumnStatement {
    let statement: Statement
    /// Whether each column of the entity has its own parameter, instead of the named ones in order.
    let isGeneral: Bool
    /// The parameter of the row that is updated.
    let rowParameter: Int32

    /// A statement whose first parameters are the named columns, in order.
    init(named statement: Statement, rowParameter: Int32 = 0) {
        self.statement = statement
        self.rowParameter = rowParameter
        isGeneral = false
    }

    /// A statement that has a parameter for each column.
    init(general statement: Statement, rowParameter: Int32) {
        self.statement = statement
        self.rowParameter = rowParameter
        isGeneral = true
    }

    /// The parameter of a column that is the one at an offset among those that are named.
    func parameter(of column: Int, at offset: Int) -> Int32 {
        Int32(truncatingIfNeeded: isGeneral ? column : offset) &+ 1
    }
}

/// A row that was found, and the entity that its object is of.
struct FoundRow {
    let row: Int64
    let entity: EntityPlan
}

/// A row that was written, and the entity that its object is of.
struct WrittenRow {
    let outcome: RowOutcome
    let entity: EntityPlan
    /// The entity that the object was of before, in a table that several entities share; nil for a new
    /// row.
    let before: EntityPlan?

    init(_ outcome: RowOutcome, of entity: EntityPlan, before: EntityPlan? = nil) {
        self.outcome = outcome
        self.entity = entity
        self.before = before
    }
}
