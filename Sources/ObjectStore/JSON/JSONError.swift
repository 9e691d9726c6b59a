/// A document that is not JSON, and where it stops being that.
public struct JSONError: Error, Hashable, Sendable {
    /// The kind of a mistake in a document.
    public enum Reason: Hashable, Sendable {
        /// The document ends before its value does.
        case unexpectedEnd
        /// A character stands where the grammar has no place for it.
        case unexpectedCharacter
        /// Something follows the document's value.
        case trailingContent
        /// A number is not spelled as RFC 8259 has it.
        case invalidNumber
        /// A string holds an escape that JSON does not know, or half of a surrogate pair.
        case invalidEscape
        /// A string holds a control character that should have been escaped.
        case controlCharacter
        /// A string's bytes are not UTF-8.
        case invalidUTF8
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
        /// The document is larger than 4 GiB, or a string or number in it than 256 MiB.
        case tooLarge
    }

    /// The kind of the mistake.
    public let reason: Reason
    /// The offset of the offending byte from the document's start.
    public let offset: Int
    /// The line of the offending byte, counted from 1.
    public let line: Int
    /// The column of the offending byte in its line, counted in bytes from 1.
    public let column: Int
    /// The path of the value that was being read, such as `$.items[3].name`.
    public let path: String
    /// The path of the document's file, nil where it was read from none.
    public internal(set) var file: String?
}

extension JSONError: CustomStringConvertible {
    /// A sentence that names the place and what is wrong there.
    public var description: String {
        let place = "line \(line), column \(column) (\(path))"
        return "Invalid JSON at \(place)\(file.map { " of \($0)" } ?? ""): \(reason)"
    }
}

extension JSONError.Reason: CustomStringConvertible {
    /// A few words on what is wrong.
    public var description: String {
        switch self {
        case .unexpectedEnd: "the document ends too early"
        case .unexpectedCharacter: "unexpected character"
        case .trailingContent: "something follows the value"
        case .invalidNumber: "not a number by RFC 8259"
        case .invalidEscape: "invalid escape in a string"
        case .controlCharacter: "unescaped control character in a string"
        case .invalidUTF8: "not UTF-8"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .tooLarge: "too large"
        }
    }
}

extension JSONParser {
    /// Describes what is wrong at the position; behind a value it is the container's concern.
    @inline(never)
    func error(_ reason: JSONError.Reason, isBehindValue: Bool = false) -> JSONError {
        let (line, column) = place
        let levels = outerLevels.dropFirst() + (outerLevels.isEmpty ? [] : [level])
        return JSONError(
            reason: reason, offset: position, line: line, column: column,
            path: "$" + (isBehindValue ? levels.dropLast() : levels).map(component).joined())
    }

    /// The number of bytes that are searched at once for the ends of lines.
    private static var pieceSize: Int { 1 << 20 }

    /// The line and the column of the position.
    private var place: (line: Int, column: Int) {
        var line = 1
        var lineStart = 0
        let end = min(position, end)
        for start in stride(from: 0, to: end, by: Self.pieceSize) {
            let part = start..<min(start + Self.pieceSize, end)
            for offset in part where bytes[offset] == 0x0A {
                line += 1
                lineStart = offset + 1
            }
            deferral?.release(part)
        }
        return (line, position - lineStart + 1)
    }

    /// The step from a container to the value that is being read.
    private func component(of level: Level) -> String {
        guard level.isObject else { return "[\(level.count - 1)]" }
        guard level.key >= 0 else { return "" }
        return JSONTape.component(JSONTape(bytes: bytes, nodes: nodes).string(level.key))
    }
}

/// The kind of value that a node of a JSON tape holds.
///
/// Numbers and strings are split by what reading them costs: a plain number is an integer
/// without fraction or exponent, a plain string has no escapes and is its own bytes.
@usableFromInline
enum JSONNodeKind: UInt8 {
    case null, `false`, `true`, integer, decimal, plainString, escapedString, array, object
}
