/// JSON in the one spelling that equal values have.
///
/// No white space, the keys of an object in the order of their bytes and each once, strings with as
/// few escapes as there can be, numbers without zeros that say nothing.
struct CanonicalJSON {
    private let tape: JSONTape
    private var output = JSONOutput()

    /// The canonical spelling of a node.
    static func text(of node: Int, in tape: JSONTape) -> String {
        var json = CanonicalJSON(tape: tape)
        json.write(node)
        return String(decoding: json.output.bytes, as: UTF8.self)
    }

    private init(tape: JSONTape) { self.tape = tape }

    private mutating func write(_ node: Int) {
        switch tape.kind(node) {
        case .object: writeObject(node)
        case .array: writeArray(node)
        case .integer, .decimal: output.append(Self.number(tape.text(node)))
        case .escapedString: output.append(string: tape.string(node))
        default: output.append(tape.source(node))
        }
    }

    private mutating func writeArray(_ array: Int) {
        output.append("[")
        var element = tape.firstChild(array)
        let end = tape.next(array)
        while element < end {
            if element > tape.firstChild(array) { output.append(",") }
            write(element)
            element = tape.next(element)
        }
        output.append("]")
    }

    private mutating func writeObject(_ object: Int) {
        var members: [(key: String, value: Int)] = []
        var key = tape.firstChild(object)
        let end = tape.next(object)
        while key < end {
            members.append((tape.string(key), key + 1))
            key = tape.next(key + 1)
        }
        // Of duplicate keys the last one counts.
        members.sort { left, right in
            left.key == right.key
                ? left.value > right.value
                : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
        }
        output.append("{")
        var last: String?
        for (key, value) in members where key != last {
            if last != nil { output.append(",") }
            last = key
            output.append(string: key)
            output.append(":")
            write(value)
        }
        output.append("}")
    }

    // MARK: Numbers

    /// Numbers of more digits before the point, or zeros behind it, have an exponent.
    private static let longestWhole = 21
    private static let mostZeros = 6

    /// A number in digits, with a point or an exponent where it takes one.
    static func number(_ text: UnsafeBufferPointer<UInt8>) -> String {
        let parts = DecimalParts(text)
        if parts.digits.isEmpty { return "0" }
        let sign = parts.isNegative ? "-" : ""
        let digits = String(decoding: parts.digits, as: UTF8.self)
        let point = digits.utf8.count + parts.exponent
        switch point {
        case 1...longestWhole where parts.exponent >= 0:
            return sign + digits + String(repeating: "0", count: parts.exponent)
        case 1...longestWhole:
            return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
        case -mostZeros...0:
            return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)"
        default:
            let rest = digits.dropFirst()
            return "\(sign)\(digits.prefix(1))\(rest.isEmpty ? "" : ".")\(rest)e\(point - 1)"
        }
    }
}
