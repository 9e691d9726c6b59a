/// A to-one relationship in a query: `$0.user.login == "ann"`, `$0.milestone == nil`.
@dynamicMemberLookup
public struct ToOneColumn<Destination: Entity>: Sendable {
    private let path: ColumnPath
    private let name: String

    /// Names a to-one relationship.
    public init(_ path: ColumnPath, _ name: String) {
        self.path = path
        self.name = name
    }

    /// Where a column is; static so that no column can be meant instead.
    static func place(of column: ToOneColumn) -> (path: ColumnPath, name: String) {
        (column.path, column.name)
    }

    /// A column of the object that the relationship leads to.
    public subscript<Member>(dynamicMember member: KeyPath<Destination.Columns, Member>) -> Member {
        Destination.Columns(path: path.appending(name))[keyPath: member]
    }

    /// True where the relationship leads to this object, or to none for nil.
    public static func == (left: ToOneColumn, right: One<Destination>?) -> Condition {
        left.condition("IS", right)
    }

    /// True where the relationship leads to another object, or to none unless compared with nil.
    public static func != (left: ToOneColumn, right: One<Destination>?) -> Condition {
        left.condition("IS NOT", right)
    }

    private func condition(_ sign: String, _ link: One<Destination>?) -> Condition {
        guard let link, link.row == nil else {
            let row = link?.row.map(SQLValue.integer) ?? .null
            return Condition(expression: .infix(.column(path, name), sign, .value(row)))
        }
        // An object that was made in code is known by its identity; without one it is nowhere.
        let names = Destination.entityDescription.identity
        let terms = zip(names, link.identity ?? []).map { name, value in
            QueryExpression.infix(.column(path.appending(self.name), name), "IS", .value(value))
        }
        let isSame = terms.dropFirst().reduce(terms.first ?? .value(.integer(0))) {
            .infix($0, "AND", $1)
        }
        return Condition(
            expression: sign == "IS" ? isSame : .infix(isSame, "IS NOT", .value(.integer(1))))
    }
}
