import Foundation

/// JSON in the one spelling that equal values have.
///
/// No white space, the keys of an object in the order of their bytes and each once, strings with as
/// few escapes as there can be, numbers without zeros that say nothing.
struct CanonicalJSON {
    private let tape: JSONTape
    private var output = JSONOutput()
    private var open: [Container] = []

    /// The canonical spelling of a value.
    static func text(of value: JSONValue) -> String {
        withExtendedLifetime(value.storage) { text(of: value.node, in: value.storage.tape) }
    }

    /// The canonical spelling of a node; whoever asks keeps the tape's document alive.
    static func text(of node: Int, in tape: JSONTape) -> String {
        var json = CanonicalJSON(tape: tape)
        json.write(node)
        return String(decoding: json.output.bytes, as: UTF8.self)
    }

    private init(tape: JSONTape) { self.tape = tape }

    // MARK: Containers

    /// A container of which a part has been written: depth takes heap, not stack.
    private enum Container {
        case array(next: Int, end: Int)
        case object(rest: ArraySlice<Member>)
    }

    private struct Member {
        let key: String
        let value: Int

        func hasSameKey(as other: Member) -> Bool { key.utf8.elementsEqual(other.key.utf8) }
    }

    private mutating func write(_ node: Int) {
        begin(node)
        while let container = open.popLast() {
            switch container {
            case .array(let element, let end) where element < end:
                if output.last != UInt8(ascii: "[") { output.append(",") }
                open.append(.array(next: tape.next(element), end: end))
                begin(element)
            case .array:
                output.append("]")
            case .object(let members):
                guard let member = members.first else {
                    output.append("}")
                    continue
                }
                if output.last != UInt8(ascii: "{") { output.append(",") }
                output.append(string: member.key)
                output.append(":")
                open.append(.object(rest: members.dropFirst()))
                begin(member.value)
            }
        }
    }

    /// Writes a scalar, or a container as far as its opening bracket.
    private mutating func begin(_ node: Int) {
        switch tape.kind(node) {
        case .object:
            output.append("{")
            open.append(.object(rest: members(of: node)[...]))
        case .array where tape.isLeftForLater(node):
            output.append(Self.reread(tape.source(node)))
        case .array:
            output.append("[")
            open.append(.array(next: tape.firstChild(node), end: tape.next(node)))
        case .integer, .decimal: writeNumber(tape.text(node))
        case .escapedString: output.append(string: tape.string(node))
        default: output.append(tape.source(node))
        }
    }

    /// The members in the order of their keys' bytes; of duplicate keys the last one counts.
    private func members(of object: Int) -> [Member] {
        var members: [Member] = []
        members.reserveCapacity(tape.length(object))
        var key = tape.firstChild(object)
        let end = tape.next(object)
        while key < end {
            members.append(Member(key: tape.string(key), value: key + 1))
            key = tape.next(key + 1)
        }
        members.sort { left, right in
            left.hasSameKey(as: right)
                ? left.value > right.value
                : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
        }
        var unique: [Member] = []
        unique.reserveCapacity(members.count)
        for member in members where unique.last.map({ !$0.hasSameKey(as: member) }) ?? true {
            unique.append(member)
        }
        return unique
    }

    /// Returns the canonical text of an array whose elements are not on the tape.
    ///
    /// It has been parsed before, with a limit of depth that is not known here.
    private static func reread(_ source: UnsafeBufferPointer<UInt8>) -> String {
        guard let document = try? JSONDocument(Data(source), depthLimit: .max) else {
            return String(decoding: source, as: UTF8.self)
        }
        return text(of: document.root)
    }

    // MARK: Numbers

    /// Numbers of more digits before the point, or zeros behind it, have an exponent.
    private static let longestWhole = 21
    private static let mostZeros = 5

    /// Whole numbers of so many digits stand as they are, so long as they don't start with a minus.
    private static let shortWhole = 18

    private mutating func writeNumber(_ text: UnsafeBufferPointer<UInt8>) {
        let isPlain =
            text.count <= Self.shortWhole
            && text.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        if isPlain { output.append(text) } else { output.append(Self.number(text)) }
    }

    /// A number in digits, with a point or an exponent where it takes one.
    static func number(_ text: some Collection<UInt8>) -> String {
        let parts = DecimalParts(text)
        if parts.digits.isEmpty { return "0" }
        if parts.isBeyondReason { return String(decoding: text, as: UTF8.self) }
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

extension JSONValue {
    /// The text that equal values have in common, however their members are ordered.
    package var canonicalText: String { CanonicalJSON.text(of: self) }
}
