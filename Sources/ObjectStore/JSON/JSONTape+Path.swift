extension JSONTape {
    /// The place of a node as a path from the document's root, such as `$[3].user.id`.
    ///
    /// It is searched when an error needs it, so that nothing has to keep track of it before.
    ///
    /// - Parameters:
    ///   - start: The path of the first node.
    ///   - firstIndex: The index of its first element, where it is an array.
    func path(to target: Int, from start: String = "$", firstIndex: Int = 0) -> String {
        var path = start
        var node = 0
        while node != target, isContainer(node) {
            var child = firstChild(node)
            let end = next(node)
            var position = node == 0 ? firstIndex : 0
            var step: (node: Int, component: String)?
            while child < end {
                let value = kind(node) == .object ? child + 1 : child
                let behind = next(value)
                if target < behind {
                    step = (
                        value,
                        kind(node) == .object
                            ? Self.component(string(child)) : "[\(position)]"
                    )
                    break
                }
                child = behind
                position += 1
            }
            guard let step else { return path }
            path += step.component
            node = step.node
        }
        return path
    }

    /// A key as a path's component: `.name`, or `["odd name"]` where a dot would not do.
    static func component(_ key: String) -> String {
        let isPlain =
            !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default:
                    false
                }
            }
        return isPlain ? ".\(key)" : "[\"\(key.unicodeScalars.map(escaped).joined())\"]"
    }

    /// A scalar as a JSON string has it, so that a path is one line and ends where it seems to.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\":
            return "\\\(scalar)"
        case ..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default:
            return String(scalar)
        }
    }
}
