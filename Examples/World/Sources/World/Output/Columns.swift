/// Blocks of lines, two beside each other.
struct Columns: CustomStringConvertible {
    let blocks: [[String]]

    var description: String {
        stride(from: 0, to: blocks.count, by: 2)
            .flatMap { [""] + pair(blocks[$0], blocks.dropFirst($0 + 1).first ?? []) }
            .joined(separator: "\n")
    }

    private func pair(_ left: [String], _ right: [String]) -> [String] {
        (0..<max(left.count, right.count)).map { row in
            let left = row < left.count ? left[row] : ""
            let right = row < right.count ? right[row] : ""
            return "  " + left.left(36) + right
        }
    }
}
