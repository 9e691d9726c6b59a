/// A bit mask that tells a statement for all columns of an entity which of them an object names, as
/// numbers whose bits stand for columns.
struct ColumnMask {
    /// The number of columns that one of the numbers tells of.
    private static let width = 62

    /// The number of columns.
    let columnCount: Int

    /// The count of the mask's numbers.
    private var count: Int { (columnCount + Self.width - 1) / Self.width }

    /// The parameter behind those of the columns and of the numbers.
    var nextParameter: Int { columnCount + count + 1 }

    /// The expression that is true where a column is named.
    func isNamed(_ column: Int) -> String {
        "?\(columnCount + column / Self.width + 1) & \(1 << (column % Self.width))"
    }

    /// Tells a statement which columns are named.
    func bind(_ columns: ColumnSet, to statement: Statement) {
        for number in 0..<count {
            var bits: Int64 = 0
            for column in number * Self.width..<min((number + 1) * Self.width, columnCount)
            where columns.contains(column) {
                bits |= 1 << Int64(column % Self.width)
            }
            statement.bind(bits, at: Int32(columnCount + number + 1))
        }
    }
}
