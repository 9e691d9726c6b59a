public import Foundation
import LarderObjectStore

extension RequestBody {
    /// Changes members of a resource by a JSON merge patch (RFC 7396): nil removes what is there.
    ///
    /// ```swift
    /// .mergePatch(["title": "x", "assignee": nil])
    /// ```
    ///
    /// What is not named stays as it is. `["address": ["street": nil as String?]]` removes a part.
    @_disfavoredOverload  // What has a type of its own is encoded as that.
    public static func mergePatch(
        _ members: KeyValuePairs<String, (any Encodable & Sendable)?>,
        encoder: JSONEncoder? = nil
    ) -> RequestBody {
        mergePatch(JSONMember.object(of: members), encoder: encoder)
    }

    /// Sends a value as a JSON merge patch (RFC 7396).
    ///
    /// An optional property that is nil is not encoded, unless the type does it by hand, and so stays as
    /// it is; ``mergePatch(from:to:encoder:)`` removes it.
    public static func mergePatch(
        _ value: some Encodable & Sendable, encoder: JSONEncoder? = nil
    ) -> RequestBody {
        json(value, "application/merge-patch+json", encoder)
    }

    /// Sends what has changed from one value to another as a JSON merge patch (RFC 7396).
    ///
    /// What the first has and the second has not is null, so that it is removed; what both have alike is
    /// left out. A member that the second encodes as null counts as one that it has not.
    public static func mergePatch<Value: Encodable & Sendable>(
        from old: Value, to new: Value, encoder: JSONEncoder? = nil
    ) -> RequestBody {
        .brief("application/merge-patch+json") {
            let encoder = encoder ?? .ofRequestBodies
            let target = try JSONDocument(encoder.encode(new)).root
            let patch = try MergePatch.changes(
                from: JSONDocument(encoder.encode(old)).root, to: target)
            // What is no object would become one by a patch that is an empty one.
            return patch ?? (target.kind == .object ? Data("{}".utf8) : target.source)
        }
    }

    /// Changes a resource by the operations of a JSON Patch (RFC 6902), in order.
    ///
    /// ```swift
    /// .jsonPatch([.test("/version", 3), .replace("/title", "x"), .remove("/labels/0")])
    /// ```
    ///
    /// A pointer that is none is refused as ``TransportError/Reason/invalidRequest``.
    public static func jsonPatch(
        _ operations: [JSONPatchOperation], encoder: JSONEncoder? = nil
    ) -> RequestBody {
        json(operations, "application/json-patch+json", encoder)
    }
}

/// What makes one JSON value of another by RFC 7396.
enum MergePatch {
    /// The patch, or nil where the values are the same.
    static func changes(from old: JSONValue, to new: JSONValue) throws -> Data? {
        guard old.kind == .object, new.kind == .object else {
            return areEqual(old, new) ? nil : try value(of: new)
        }
        var patch = JSONObject()
        for key in Set(new.keys ?? []).sorted() {
            guard let value = new[key], !value.isNull else { continue }
            if let source = try changes(from: old[key] ?? absent, to: value) {
                try patch.set(key, to: JSONDocument(source).root)
            }
        }
        for key in Set(old.keys ?? []).sorted() where old[key]?.isNull == false {
            if new[key]?.isNull ?? true { try patch.set(key, to: Int?.none) }
        }
        return patch.keys.isEmpty ? nil : patch.source
    }

    /// A value that becomes a member: in an object, what is null would not be there either.
    private static func value(of new: JSONValue) throws -> Data {
        guard new.kind == .object else { return new.source }
        var object = JSONObject()
        for key in Set(new.keys ?? []).sorted() {
            guard let member = new[key], !member.isNull else { continue }
            try object.set(key, to: JSONDocument(value(of: member)).root)
        }
        return object.source
    }

    private static var absent: JSONValue { get throws { try JSONDocument("null").root } }

    /// Whether two values that one encoder has written are the same, in whatever order of keys.
    private static func areEqual(_ old: JSONValue, _ new: JSONValue) -> Bool {
        guard old.kind == new.kind else { return false }
        switch old.kind {
        case .array:
            let (old, new) = (old.elements ?? [], new.elements ?? [])
            return old.count == new.count && zip(old, new).allSatisfy(areEqual)
        case .object:
            let keys = Set(old.keys ?? [])
            return keys == Set(new.keys ?? [])
                && keys.allSatisfy { key in
                    guard let old = old[key], let new = new[key] else { return false }
                    return areEqual(old, new)
                }
        // As it is written: two spellings of one character are two texts.
        case .string, .null, .boolean, .number: return old.source == new.source
        }
    }
}
