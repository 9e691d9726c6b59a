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

    /// Returns the path and the name of a column; static so that no column can be meant instead.
    static func place(of column: ToOneColumn) -> (path: ColumnPath, name: String) {
        (column.path, column.name)
    }

    /// A column of the object that the relationship leads to, empty where there is none.
    ///
    /// A relationship that is required may lead to an object that has not arrived, and of which
    /// nothing is known but its identity.
    public subscript<Value>(
        dynamicMember member: KeyPath<Destination.Columns, Column<Value>>
    ) -> Column<Value?> {
        Column<Value?>(expression: destination[keyPath: member].expression)
    }

    /// A column of the object that the relationship leads to, which may be empty anyway.
    public subscript<Value>(
        dynamicMember member: KeyPath<Destination.Columns, Column<Value?>>
    ) -> Column<Value?> {
        destination[keyPath: member]
    }

    /// A to-one relationship of the object that the relationship leads to.
    public subscript<Next>(
        dynamicMember member: KeyPath<Destination.Columns, ToOneColumn<Next>>
    ) -> ToOneColumn<Next> {
        destination[keyPath: member]
    }

    /// A to-many relationship of the object that the relationship leads to.
    public subscript<Next>(
        dynamicMember member: KeyPath<Destination.Columns, ToManyColumn<Next>>
    ) -> ToManyColumn<Next> {
        destination[keyPath: member]
    }

    /// A condition that an extension of the columns names.
    public subscript(dynamicMember member: KeyPath<Destination.Columns, Condition>) -> Condition {
        destination[keyPath: member]
    }

    /// True where the relationship leads to this object, or to none for nil.
    public static func == (left: ToOneColumn, right: One<Destination>?) -> Condition {
        Condition(expression: left.leads(to: right))
    }

    /// True where the relationship leads to another object, or to none unless compared with nil.
    public static func != (left: ToOneColumn, right: One<Destination>?) -> Condition {
        guard let right else { return left.condition("IS NOT", .value(.null)) }
        if case .row(let row, let home) = right.content {
            return left.condition("IS NOT", .object(row, of: home.store))
        }
        return Condition(expression: left.leads(to: right).negated)
    }

    /// True where both relationships lead to the same object, or both to none.
    public static func == (left: ToOneColumn, right: ToOneColumn) -> Condition {
        left.condition("IS", right.expression)
    }

    /// True where the relationships lead to different objects, or one of them to none.
    public static func != (left: ToOneColumn, right: ToOneColumn) -> Condition {
        left.condition("IS NOT", right.expression)
    }

    /// True where the relationship leads to no object.
    public var isNil: Condition { condition("IS", .value(.null)) }

    /// True where the relationship leads to one of these objects.
    public func isIn(_ objects: some Sequence<One<Destination>>) -> Condition {
        // A sequence may be there once only.
        let objects = Array(objects)
        let made = objects.filter { $0.row == nil }.map { leads(to: $0) }
        var rows: [Int64] = []
        var stores: [ObjectIdentifier: Store] = [:]
        for case .row(let row, let home) in objects.map(\.content) {
            rows.append(row)
            stores[ObjectIdentifier(home.store)] = home.store
        }
        let found = QueryExpression.infix(
            expression, "IN", .objects(rows, of: Array(stores.values)))
        return Condition(expression: made.reduce(found) { .joined($0, .or, $1) })
    }

    /// Private, like all that would hide an attribute's column of the same name.
    private var expression: QueryExpression { .column(path, name) }

    private var destination: Destination.Columns { Destination.Columns(path: path.appending(name)) }

    private func condition(_ sign: String, _ other: QueryExpression) -> Condition {
        Condition(expression: .infix(expression, sign, other))
    }

    private func leads(to object: One<Destination>?) -> QueryExpression {
        guard let object else { return .infix(expression, "IS", .value(.null)) }
        if case .row(let row, let home) = object.content {
            return .infix(expression, "IS", .object(row, of: home.store))
        }
        return object.isObject(at: path.appending(name))
    }
}
