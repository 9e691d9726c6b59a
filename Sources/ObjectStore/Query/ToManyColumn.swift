/// A to-many relationship in a query: `$0.cities.count > 100`.
public struct ToManyColumn<Destination: Entity>: Sendable {
    private let path: ColumnPath
    private let name: String

    /// Names a to-many relationship.
    public init(_ path: ColumnPath, _ name: String) {
        self.path = path
        self.name = name
    }

    /// Where a column is; static so that no column can be meant instead.
    static func place(of column: ToManyColumn) -> (path: ColumnPath, name: String) {
        (column.path, column.name)
    }

    /// How many objects the relationship links.
    public var count: Column<Int> { Column(expression: .count(path, name)) }

    /// True where the relationship links no object.
    public var isEmpty: Condition { count == 0 }
}
