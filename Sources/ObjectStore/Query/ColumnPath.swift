/// The relationships that lead from a query's entity to the one that a column belongs to.
public struct ColumnPath: Hashable, Sendable {
    enum Step: Hashable {
        /// The object that a to-one relationship leads to.
        case one(String)
        /// Each of the objects that a to-many relationship links, in a condition on them; the
        /// level tells conditions apart that stand inside each other.
        case each(String, level: Int)
    }

    let steps: [Step]

    /// The query's own entity.
    init() { steps = [] }

    init(steps: [Step]) { self.steps = steps }

    /// Whether the path ends at the query's own entity.
    var isEmpty: Bool { steps.isEmpty }

    func appending(_ relationship: String) -> ColumnPath {
        ColumnPath(steps: steps + [.one(relationship)])
    }

    func appending(each relationship: String, level: Int) -> ColumnPath {
        ColumnPath(steps: steps + [.each(relationship, level: level)])
    }

    /// The path without its last step.
    var parent: ColumnPath { ColumnPath(steps: steps.dropLast()) }

    /// The path as far as the last objects of a to-many relationship: what is joined to them
    /// stands in the same subquery.
    var scope: ColumnPath {
        var steps = steps
        while case .one? = steps.last { steps.removeLast() }
        return ColumnPath(steps: steps)
    }

    /// Whether the path is this one or goes on from it.
    func isInside(_ path: ColumnPath) -> Bool { steps.starts(with: path.steps) }
}

extension ColumnPath: CustomStringConvertible {
    /// The relationships, joined by dots.
    public var description: String {
        steps.map { step in
            switch step {
            case .one(let name), .each(let name, _): name
            }
        }.joined(separator: ".")
    }
}
