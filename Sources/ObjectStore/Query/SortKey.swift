/// A column to sort by, and in which direction.
public struct SortKey: Sendable {
    let expression: QueryExpression
    let isDescending: Bool
}
