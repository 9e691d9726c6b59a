/// The operands of a chain such as `a AND b AND c`, kept so that a chain of any length, built from
/// either end, is neither deep nor copied with each operand.
///
/// A tree balanced as by Adelson-Velsky and Landis, with the operands at its leaves; joining two
/// costs as many steps as their heights differ.
indirect enum OperandTree: Sendable {
    case leaf(QueryExpression)
    case node(OperandTree, OperandTree, height: Int)

    private var height: Int {
        switch self {
        case .leaf: 0
        case .node(_, _, let height): height
        }
    }

    private init(_ left: OperandTree, _ right: OperandTree) {
        self = .node(left, right, height: max(left.height, right.height) + 1)
    }

    /// The operands of one tree, then those of another.
    static func joining(_ left: OperandTree, _ right: OperandTree) -> OperandTree {
        if case .node(let first, let second, _) = left, left.height > right.height + 1 {
            return balanced(first, joining(second, right))
        }
        if case .node(let first, let second, _) = right, right.height > left.height + 1 {
            return balanced(joining(left, first), second)
        }
        return OperandTree(left, right)
    }

    /// A node of two trees whose heights differ by at most 2.
    private static func balanced(_ left: OperandTree, _ right: OperandTree) -> OperandTree {
        if case .node(let first, let second, _) = left, left.height > right.height + 1 {
            if case .node(let middle, let last, _) = second, second.height > first.height {
                return OperandTree(OperandTree(first, middle), OperandTree(last, right))
            }
            return OperandTree(first, OperandTree(second, right))
        }
        if case .node(let first, let second, _) = right, right.height > left.height + 1 {
            if case .node(let start, let middle, _) = first, first.height > second.height {
                return OperandTree(OperandTree(left, start), OperandTree(middle, second))
            }
            return OperandTree(OperandTree(left, first), second)
        }
        return OperandTree(left, right)
    }

    /// The operands, in order.
    var operands: [QueryExpression] {
        var operands: [QueryExpression] = []
        append(to: &operands)
        return operands
    }

    private func append(to operands: inout [QueryExpression]) {
        switch self {
        case .leaf(let operand):
            operands.append(operand)
        case .node(let left, let right, _):
            left.append(to: &operands)
            right.append(to: &operands)
        }
    }
}
