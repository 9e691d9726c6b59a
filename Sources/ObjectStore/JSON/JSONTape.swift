/// The nodes of a parsed document beside the bytes they point into.
///
/// A scalar is one word: its kind (4 bits), its length in bytes (28) and its offset (32). A
/// container is two: kind, number of elements and the index behind its last node, then its offset
/// and length. An object's members follow as key, value, key, value. A view is only valid while
/// the document that owns both buffers is alive.
struct JSONTape {
    let bytes: UnsafePointer<UInt8>
    let nodes: UnsafePointer<UInt64>

    /// The longest string, number or element count that a node can hold.
    static let maximumLength = (1 << 28) - 1

    /// The first word of a container.
    @inline(__always)
    static func container(_ kind: JSONNodeKind, count: Int, next: Int) -> UInt64 {
        UInt64(kind.rawValue) &<< 60 | UInt64(truncatingIfNeeded: count) &<< 32
            | UInt64(truncatingIfNeeded: next)
    }

    /// The second word of a container.
    @inline(__always)
    static func extent(_ range: Range<Int>) -> UInt64 {
        UInt64(truncatingIfNeeded: range.count) &<< 32
            | UInt64(truncatingIfNeeded: range.lowerBound)
    }

    @inline(__always)
    func kind(_ node: Int) -> JSONNodeKind {
        JSONNodeKind(rawValue: UInt8(truncatingIfNeeded: nodes[node] &>> 60)) ?? .null
    }

    @inline(__always)
    func isContainer(_ node: Int) -> Bool {
        nodes[node] &>> 60 >= UInt64(JSONNodeKind.array.rawValue)
    }

    /// The length in bytes of a scalar, the number of elements or members of a container.
    @inline(__always)
    func length(_ node: Int) -> Int {
        Int(truncatingIfNeeded: (nodes[node] &>> 32) & 0xFFF_FFFF)
    }

    /// The offset of a scalar's text: for strings, behind the quotation mark.
    @inline(__always)
    func offset(_ node: Int) -> Int {
        Int(truncatingIfNeeded: nodes[node] & 0xFFFF_FFFF)
    }

    /// The index of the node behind this one and all it contains.
    @inline(__always)
    func next(_ node: Int) -> Int {
        isContainer(node) ? Int(truncatingIfNeeded: nodes[node] & 0xFFFF_FFFF) : node &+ 1
    }

    /// The index of a container's first key or element.
    @inline(__always)
    func firstChild(_ node: Int) -> Int { node &+ 2 }

    /// Whether an array has elements, which are not on the tape.
    func isLeftForLater(_ array: Int) -> Bool {
        length(array) > 0 && next(array) == firstChild(array)
    }

    /// The bytes of a scalar as they stand in the document.
    @inline(__always)
    func text(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + offset(node), count: length(node))
    }

    /// The bytes of a container from its opening to its closing bracket.
    @inline(__always)
    func containerText(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        let extent = nodes[node &+ 1]
        return UnsafeBufferPointer(
            start: bytes + Int(truncatingIfNeeded: extent & 0xFFFF_FFFF),
            count: Int(truncatingIfNeeded: extent &>> 32))
    }

    /// The source of any node, quotation marks included.
    func source(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        switch kind(node) {
        case .array, .object:
            return containerText(node)
        case .plainString, .escapedString:
            return UnsafeBufferPointer(start: bytes + offset(node) - 1, count: length(node) + 2)
        default:
            return text(node)
        }
    }

    /// The value of the last member with this key, since the last of duplicate keys wins.
    func member(_ key: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
        var found: Int?
        var node = firstChild(object)
        let end = next(object)
        while node < end {
            if keyEquals(node, key) { found = node &+ 1 }
            node = next(node &+ 1)
        }
        return found
    }

    @inline(__always)
    func keyEquals(_ node: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        if kind(node) == .plainString {
            let text = text(node)
            return text.count == key.count && text.hasSameBytes(as: key)
        }
        return string(node).utf8.elementsEqual(key)
    }
}

extension JSONTape {
    /// An element of an array, and its index.
    struct Place {
        let array: Int
        let element: Int
        let index: Int
    }

    /// The number of elements that are counted anew without regret.
    private static var shortArray: Int { 32 }

    /// The place of a node as a path from the document's root, such as `$[3].user.id`.
    ///
    /// It is searched when an error needs it, so that nothing has to keep track of it before.
    ///
    /// - Parameters:
    ///   - start: The path of the first node.
    ///   - firstIndex: The index of its first element, where it is an array.
    ///   - last: The place in an array that the search before came by, from which this one goes on where it
    ///     can: thousands of elements that don't fit are otherwise counted anew for each.
    func path(
        to target: Int, from start: String = "$", firstIndex: Int = 0,
        goingOnFrom last: inout Place?
    ) -> String {
        var path = start
        var node = 0
        var longest: Place?
        defer { last = longest ?? last }
        while node != target, isContainer(node) {
            var child = firstChild(node)
            let end = next(node)
            var position = node == 0 ? firstIndex : 0
            if let last, last.array == node, last.element <= target {
                (child, position) = (last.element, last.index)
            }
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
            if kind(node) == .array, position > longest?.index ?? Self.shortArray {
                longest = Place(array: node, element: step.node, index: position)
            }
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
