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
