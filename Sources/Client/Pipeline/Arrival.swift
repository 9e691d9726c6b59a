import Foundation
import HTTPTypes
import LarderObjectStore

/// A validated response on its way to becoming a value.
struct Arrival {
    let request: TransportRequest
    var response: TransportResponse
    /// Whether the server has made or confirmed it since it was asked.
    var isCurrent = true
    let client: Client
    /// The session that it is of.
    let session: Int
    /// The content, where it has been read already.
    var content: JSONDocument?
    /// The transaction that its objects are written in with those of others, nil for one of their own.
    let shared: SharedTransaction?
    /// The transaction that is its own, once it is open in which more is written than its objects.
    var own: ArrivalTransaction?
    /// What its list may be the whole of, nil where it says nothing of others.
    var list: ListedPages?
    /// What is kept of it, and of the value at a key path, nil where nothing is.
    var keeping: KeptExchange?
    /// Those who want to hear of it; in no transaction, where they might wait for others.
    let trace: RequestTrace?
    let isCancelled: () -> Bool
    /// Takes what is to be done once the value is given up.
    let onCancel: (@escaping @Sendable () -> Void) -> Void
    /// Takes the point of no return: throws where the value has been given up, and keeps it from being
    /// given up afterwards.
    let commit: () throws -> Void

    var decodingOptions: DecodingOptions { client.configuration.decodingOptions }

    /// The content as JSON.
    func document() throws -> JSONDocument {
        if let content { return content }
        let document = try client.configuration.document(from: response)
        trace?.parse()
        return document
    }

    /// Writes the objects of JSON, and has go what that shows to have vanished.
    ///
    /// - Parameters:
    ///   - keyPath: Where the JSON stands in the document.
    ///   - page: The walk that the JSON is a page of.
    func store<Value: Importable>(
        _ type: Value.Type, from json: JSONValue, at keyPath: String?, as page: ListedPages? = nil
    ) throws -> (value: Value, report: ImportReport) {
        let list = try arrival(of: page)
        let keeping = page == nil ? keeping : nil
        let keep = keeping?.keeping(type, of: json, at: keyPath, self)
        // A transaction that keeps the note must not keep this, which keeps it.
        let (anonymousObjects, kept) = (client.anonymousObjects, client.kept)
        let options = decodingOptions
        // What a cache has had for a while is no news, whoever has stored it: what is there may be newer. Nor is it noted
        // as stored then, so that the server is asked about it once that can be.
        let isKnown = !response.isOfNow
        let receipt = isKnown ? nil : response.sent?.receipt
        // What has been made invalid is not renewed by it either.
        let renewed = response.isOfNow ? keeping : nil
        func note(_ report: ImportReport) {
            anonymousObjects.note(type, report, isReplacing: list != nil)
            guard let receipt else { return }
            let way = StoredImport(
                type, at: keyPath, in: kept.store, of: kept.origin, by: options)
            receipt.noteStored(by: way.digest)
        }
        if let own {
            let stored = try own.import(
                type, from: json, as: list, keeping: keep, isKnown: isKnown, fetchedAt: fetchedAt)
            own.whenCommitted { note(stored.report) }
            if let renewed {
                own.whenCommitted { [kept = client.kept] in renewed.committed(in: kept)?() }
            }
            return stored
        }
        if let shared {
            let stored = try shared.import(
                type, from: json, as: list, keeping: keep, isKnown: isKnown, fetchedAt: fetchedAt,
                options: decodingOptions, isCancelled: isCancelled, willCommit: commit)
            shared.whenCommitted { note(stored.report) }
            if let kept = renewed?.committed(in: client.kept) { shared.whenCommitted(kept) }
            return stored
        }
        let stored = try client.kept.makingRoom(repeating: true) {
            try client.store.import(
                type, from: json, as: list, keeping: keep, isKnown: isKnown, fetchedAt: fetchedAt,
                willWait: onCancel, options: decodingOptions, isCancelled: isCancelled,
                willCommit: commit)
        }
        note(stored.report)
        renewed?.committed(in: client.kept)?()
        return stored
    }

    /// The moment at which the server has made or confirmed it, nil where the store asks for none.
    private var fetchedAt: Date? {
        guard client.store.keepsFetchTimes else { return nil }
        // What a cache had is older than now.
        return client.configuration.now() - (response.age?.seconds ?? 0)
    }

    /// What the store is to know of the list, nil where that says nothing of what it lacks.
    private func arrival(of page: ListedPages?) throws -> ListArrival? {
        if let page {
            let isPage = response.head.status == .ok && isCurrent
            let root = try document().root
            let saysMore = response.leadsOn || page.completeness.saysMore(root)
            return ListArrival(
                page.completeness, besides: page.candidates, in: root, isWhole: false,
                noting: { page.note($0, isWhole: isPage, saysMore: saysMore) })
        }
        guard let list else { return nil }
        return ListArrival(
            list.completeness, besides: list.candidates, in: try document().root,
            isWhole: response.isWholeList, isCurrent: isCurrent)
    }

    /// The JSON that stands at a key path, the whole where there is none.
    func json(at keyPath: String?, for type: Any.Type) throws -> JSONValue {
        let document = try document()
        do {
            return try document.value(at: keyPath, for: type)
        } catch {
            throw ClientError(.undecodable, underlying: error)
        }
    }

    /// The content as it is, where that is what was asked for.
    func plain<Value>() throws -> Value? {
        if let data = response.body as? Value { return data }
        guard Value.self == String.self || Value.self == String?.self else { return nil }
        guard let text = String(validating: response.body, as: UTF8.self) as? Value else {
            throw ClientError(.undecodable)
        }
        return text
    }

    /// Returns the value of a response without content: nil as a value where it may be, else none.
    func empty<Value>(as type: Value.Type = Value.self) -> Value? {
        guard response.bodyCount == 0, let type = type as? any AbsentValue.Type else { return nil }
        return type.absent as? Value
    }
}

extension Client.Configuration {
    /// The content of a response as JSON.
    func document(from response: TransportResponse) throws -> JSONDocument {
        guard response.bodyCount > 0 else { throw ClientError(.emptyBody) }
        do {
            return try documentReader.document(from: response)
        } catch let error as JSONError {
            throw ClientError(.malformedJSON, underlying: error)
        } catch {
            throw ClientError.wrapped(error, as: .unprocessed)
        }
    }
}

/// A type that has a value for what is not there.
private protocol AbsentValue {
    static var absent: Self { get }
}

extension Optional: AbsentValue {
    fileprivate static var absent: Wrapped? { nil }
}
