import Foundation
import HTTPTypes
import LarderObjectStore

/// A response by which the store can answer a request: its head, and what its content consists of.
struct KeptResponse: Sendable {
    /// The status, and the header fields that are kept.
    var head: HTTPResponse
    /// When the server sent it, and when it last said that it is still good.
    let fetched: Date
    var confirmed: Date
    /// Whether somebody knows that it is not.
    var isInvalid: Bool
    /// Whether the store's model was another one, or it was read by other options, so that objects may lack what the
    /// server has sent.
    var isOfOtherModel = false
    /// What has chosen it among others of its URL.
    var variant = KeptVariant()
    /// How it was read, as ``StoredImport/reading(of:by:)`` has it; empty for objects alone.
    var reading = ""
    /// The key path of what was stored.
    let keyPath: String?
    var skeleton: ImportSkeleton
    /// The skeleton as it lies in a row, where it comes from one.
    var skeletonBytes: [UInt8]?
    /// The content, where more of it is needed than the skeleton.
    let document: Data?

    /// The fields by which the server is asked whether it is still good; none where it has no validator, or where
    /// that would not bring what is missing.
    var conditions: HTTPFields { isOfOtherModel ? [:] : Self.conditions(of: head) }

    /// The fields by which a server is asked whether what it has sent with a head is still good; none where nobody knows
    /// what has chosen that.
    static func conditions(of head: HTTPResponse) -> HTTPFields {
        var fields = HTTPFields()
        guard Variant.names(in: head.headerFields) != nil else { return fields }
        if let tag = head.headerFields[.eTag] {
            fields[.ifNoneMatch] = tag
        } else if let date = head.headerFields[.lastModified] {
            fields[.ifModifiedSince] = date
        }
        return fields
    }

    /// The time since the server last said that it is good; nil where that is yet to come, by a clock that has
    /// been set back.
    func age(at now: Date) -> Duration? { Self.age(of: confirmed, at: now) }

    /// The time since a moment, by a clock that may be wrong.
    static func age(of confirmed: Date, at now: Date) -> Duration? {
        let age = now.timeIntervalSince(confirmed)
        return age >= 0 && age < CacheControl.mostSeconds ? .seconds(age) : nil
    }

    /// The same, which the server has just said is still good, with the fields that it sent along (RFC 9110,
    /// section 15.4.5).
    func confirmed(by fields: HTTPFields, at now: Date) -> KeptResponse {
        var kept = self
        // As for `CachedResponse.freshened(by:removing:without:requested:received:)`.
        let new = fields.filter {
            !StoredFields.ofContent.contains($0.name)
                && ($0.name != .eTag || head.headerFields[.eTag] != nil)
        }
        for name in Set(new.map(\.name)) { kept.head.headerFields[name] = nil }
        for field in new { kept.head.headerFields.append(field) }
        (kept.confirmed, kept.isInvalid) = (now, false)
        return kept
    }

    /// Whether the server has sent it, or said that it is still good, later than what a cache has of the same place.
    ///
    /// Each by the server's clock; where that says nothing, nobody knows.
    func isLater(than cached: KeptResponse) -> Bool {
        guard keyPath == cached.keyPath,
            let date = head.headerFields[.date].flatMap(HTTPDate.date),
            let other = cached.head.headerFields[.date].flatMap(HTTPDate.date)
        else { return false }
        return date > other
    }

    /// Makes the value again, of the objects as they are in a snapshot.
    ///
    /// - Parameter noteReplaced: Called where objects have gone and come again since.
    /// - Returns: The value, and the number of objects that are left out of it.
    /// - Throws: Why it can't be made, such as that it is another value's response.
    func value<Value: Importable>(
        _ type: Value.Type, at keyPath: String?, in snapshot: Snapshot, options: DecodingOptions,
        noteReplaced: () -> Void = {}
    ) throws -> (value: Value, missingCount: Int) {
        guard keyPath == self.keyPath else { throw ReplayError.otherValue }
        let json = try document.map { try JSONDocument($0).value(at: keyPath, for: type) }
        return try snapshot.replay(
            type, by: skeleton, from: json, options: options, noteReplaced: noteReplaced)
    }
}

/// The reason for which the store can't answer.
enum ReplayError: Error {
    /// What is kept was made by another call, whose value is made of something else.
    case otherValue
    /// The server says that nothing has changed, and the store lacks some of that, or has something else of it.
    case incomplete
    /// The serializer makes something else of responses than objects.
    case notStored
}

extension ReplayError: CustomStringConvertible {
    var description: String {
        switch self {
        case .otherValue: "what is kept is of another place in the response's JSON"
        case .incomplete:
            "the store lacks some of what the server says has not changed, or has it changed"
        case .notStored: "the store keeps nothing of what the response becomes"
        }
    }
}

extension KeptResponse {
    /// Creates what is kept of a response whose parts were stored; nil where nothing may be, or it would be too
    /// much.
    ///
    /// - Parameters:
    ///   - json: The value that was stored, of the response's document.
    ///   - items: The query items that an interceptor had added to the request.
    ///   - secrets: Says which fields are those of secrets.
    ///   - reading: How it was read.
    init?<Value: Importable>(
        _ response: TransportResponse, _ skeleton: ImportSkeleton, of json: JSONValue,
        as type: Value.Type, at keyPath: String?, now: Date,
        removing items: AddedItems, secrets: (HTTPField.Name) -> Bool,
        reading: @autoclosure () -> String
    ) {
        guard skeleton.isRepeatable else { return nil }
        let mayBeStored = !CacheControl(response.head.headerFields).has("no-store")
        if skeleton.isWhole(of: json, as: type) {
            (self.skeleton, document) = (skeleton.ofEmptyDocument, nil)
        } else {
            guard mayBeStored, let rest = skeleton.rest(of: json, atMost: Self.maximumSize) else {
                return nil
            }
            (self.skeleton, document) = (rest.skeleton, rest.document)
            self.reading = reading()
        }
        head = HTTPResponse(status: response.head.status)
        if mayBeStored {
            head.headerFields = StoredFields.kept(
                of: response.head.headerFields, removing: items, without: secrets)
        }
        // Those of another URL, which may lead elsewhere next time, where the same tag is another version's.
        if !response.redirects.isEmpty {
            for name in [HTTPField.Name.eTag, .lastModified] { head.headerFields[name] = nil }
        }
        (fetched, confirmed, isInvalid) = (now, now, false)
        self.keyPath = keyPath
    }

    /// The most bytes of content that are kept.
    private static var maximumSize: Int { 1 << 20 }
}
