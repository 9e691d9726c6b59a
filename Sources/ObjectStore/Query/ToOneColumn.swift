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
        Condition(
            expression: .infix(
                .column(path, name), sign, .value(link.map { .integer($0.row) } ?? .null)))
    }
}
