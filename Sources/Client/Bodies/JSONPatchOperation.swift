/// One operation of a JSON Patch (RFC 6902).
public struct JSONPatchOperation: Encodable, Sendable {
    private enum Name: String, Encodable {
        case add, remove, replace, move, copy, test
    }

    private enum Key: CodingKey {
        case op, path, from, value
    }

    private let name: Name
    private let path: JSONPointer
    private var from: JSONPointer?
    private var value: JSONMember?

    private init(
        _ name: Name, _ path: JSONPointer, from: JSONPointer? = nil, value: JSONMember? = nil
    ) {
        self.name = name
        self.path = path
        self.from = from
        self.value = value
    }

    /// Adds a member, or an element before the one at an index or, with `/-`, at the end; nil is null.
    public static func add(
        _ path: JSONPointer, _ value: (any Encodable & Sendable)?
    ) -> JSONPatchOperation {
        JSONPatchOperation(.add, path, value: JSONMember(value: value))
    }

    /// Removes what is there.
    public static func remove(_ path: JSONPointer) -> JSONPatchOperation {
        JSONPatchOperation(.remove, path)
    }

    /// Replaces what is there; nil is null.
    public static func replace(
        _ path: JSONPointer, _ value: (any Encodable & Sendable)?
    ) -> JSONPatchOperation {
        JSONPatchOperation(.replace, path, value: JSONMember(value: value))
    }

    /// Moves what is at one place to another.
    public static func move(from: JSONPointer, to path: JSONPointer) -> JSONPatchOperation {
        JSONPatchOperation(.move, path, from: from)
    }

    /// Copies what is at one place to another.
    public static func copy(from: JSONPointer, to path: JSONPointer) -> JSONPatchOperation {
        JSONPatchOperation(.copy, path, from: from)
    }

    /// Refuses the whole patch unless this is there; nil is null.
    public static func test(
        _ path: JSONPointer, _ value: (any Encodable & Sendable)?
    ) -> JSONPatchOperation {
        JSONPatchOperation(.test, path, value: JSONMember(value: value))
    }

    /// Encodes the operation as a member of a patch.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .op)
        try container.encode(path, forKey: .path)
        try container.encodeIfPresent(from, forKey: .from)
        try container.encodeIfPresent(value, forKey: .value)
    }
}

extension JSONPatchOperation: CustomReflectable {
    /// What is done where, without the value.
    public var customMirror: Mirror {
        var children: [(label: String?, value: Any)] = [("op", name.rawValue), ("path", path)]
        if let from { children.append(("from", from)) }
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

/// A place in a JSON document (RFC 6901), such as `/labels/0`.
///
/// What is interpolated stays one step, whatever it holds: `"/labels/\(name)"`.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The pointer as it is sent.
    public let description: String

    /// Creates a pointer from the keys and indices that lead to the place; none is the whole document.
    public init(_ steps: [String]) {
        description = steps.map { "/" + Self.escaped($0) }.joined()
    }

    fileprivate static func escaped(_ step: String) -> String {
        // By scalars, as a slash with an accent behind it is a slash to who reads it.
        var escaped = ""
        for scalar in step.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Whether it is empty or begins with a slash, and each tilde in it escapes something.
    private var isValid: Bool {
        guard description.isEmpty || description.utf8.first == UInt8(ascii: "/") else {
            return false
        }
        return description.utf8.split(
            separator: UInt8(ascii: "~"), omittingEmptySubsequences: false
        ).dropFirst().allSatisfy { $0.first == UInt8(ascii: "0") || $0.first == UInt8(ascii: "1") }
    }
}

extension JSONPointer: ExpressibleByStringInterpolation {
    /// Creates a pointer from its text.
    public init(stringLiteral text: String) {
        description = text
    }

    /// Creates a pointer from its text and the steps in it.
    public init(stringInterpolation: StringInterpolation) {
        description = stringInterpolation.text
    }

    /// A pointer in the making.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Begins without anything.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds text as it is.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a key or an index.
        public mutating func appendInterpolation(_ step: some CustomStringConvertible) {
            text += JSONPointer.escaped(step.description)
        }
    }
}

extension JSONPointer: Encodable {
    /// Encodes the text.
    ///
    /// - Throws: ``TransportError/Reason/invalidRequest`` where it is no pointer.
    public func encode(to encoder: any Encoder) throws {
        guard isValid else {
            throw TransportError.invalidRequest(
                "A JSON pointer begins with a slash, and a tilde in it is '~0'.")
        }
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
