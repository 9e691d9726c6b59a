public import Foundation

/// One value of a JSON document: where it stands, not what it holds.
///
/// Reading is lazy and typed: each accessor returns nil where the value is of another kind.
public struct JSONValue: Sendable {
    /// The six kinds of JSON values.
    public enum Kind: String, Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case boolean
        /// A number.
        case number
        /// A string.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    let storage: JSONDocument.Storage
    let node: Int

    var tape: JSONTape { storage.tape }

    /// The kind of the value.
    public var kind: Kind {
        switch tape.kind(node) {
        case .null: .null
        case .true, .false: .boolean
        case .integer, .decimal: .number
        case .plainString, .escapedString: .string
        case .array: .array
        case .object: .object
        }
    }

    /// Whether the value is `null`.
    public var isNull: Bool { tape.kind(node) == .null }

    /// The value of `true` or `false`.
    public var bool: Bool? {
        switch tape.kind(node) {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The value of a number that is integral and fits 64 bits.
    public var integer: Int64? { tape.integer(node) }

    /// The value of a number, rounded to the nearest double.
    public var double: Double? { tape.double(node) }

    /// The value of a string.
    public var string: String? {
        kind == .string ? tape.string(node) : nil
    }

    /// The number of elements of an array or members of an object.
    public var count: Int? {
        tape.isContainer(node) ? storage.count(of: node) : nil
    }

    /// The elements of an array, all of them in memory.
    public var elements: [JSONValue]? {
        guard kind == .array else { return nil }
        var elements: [JSONValue] = []
        elements.reserveCapacity(storage.count(of: node))
        // What has been parsed before can be parsed again.
        try? forEachElement { elements.append($0) }
        return elements
    }

    /// Calls a body with the elements of an array, one after the other; does nothing where this
    /// is none.
    ///
    /// Of a long array in a file only some elements are in memory at any time.
    ///
    /// - Throws: What the body throws.
    public func forEachElement(_ body: (JSONValue) throws -> Void) throws {
        guard kind == .array else { return }
        guard var walk = storage.walk(through: node) else {
            return try JSONValue.forEachChild(of: node, in: storage, body)
        }
        while let batch = try walk.batch() {
            try JSONValue.forEachChild(of: 0, in: batch, body)
        }
    }

    private static func forEachChild(
        of array: Int, in storage: JSONDocument.Storage, _ body: (JSONValue) throws -> Void
    ) rethrows {
        let tape = storage.tape
        var child = tape.firstChild(array)
        let end = tape.next(array)
        while child < end {
            try body(JSONValue(storage: storage, node: child))
            child = tape.next(child)
        }
    }

    /// The keys of an object as they stand in the document, duplicates included.
    public var keys: [String]? {
        guard kind == .object else { return nil }
        let tape = tape
        var keys: [String] = []
        var key = tape.firstChild(node)
        while key < tape.next(node) {
            keys.append(tape.string(key))
            key = tape.next(key + 1)
        }
        return keys
    }

    /// The value of an object's member; nil where there is none, or where this is no object.
    public subscript(key: String) -> JSONValue? {
        guard kind == .object else { return nil }
        var key = key
        let member = key.withUTF8 { tape.member($0, of: node) }
        return member.map { JSONValue(storage: storage, node: $0) }
    }

    /// The value that stands at a dotted key path: `nil` where a step is missing or no object.
    public func value(at keyPath: String) -> JSONValue? {
        keyPath.split(separator: ".", omittingEmptySubsequences: false)
            .reduce(self as JSONValue?) { value, key in value?[String(key)] }
    }

    /// The path of the value from the document's root, such as `$[3].user.id`.
    public var path: String { storage.path(to: node) }

    /// The value's bytes as they stand in the document.
    public var source: Data { Data(tape.source(node)) }
}
