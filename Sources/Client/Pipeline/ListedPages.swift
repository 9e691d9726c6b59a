import HTTPTypes
import LarderObjectStore
import LarderPromises

/// What the store had when a list was asked for, so that what the list lacks of it can be found.
final class ListedPages: Sendable {
    let completeness: Completeness
    /// What may have vanished.
    let candidates: VanishingCandidates
    /// What the pages have named so far, nil once one of them shows that they can't be a whole.
    private let state = Guarded<(objects: ListedObjects?, isWhole: Bool, count: Int)>(
        (nil, true, 0))

    init(_ completeness: Completeness, besides candidates: VanishingCandidates) {
        self.completeness = completeness
        self.candidates = candidates
    }

    /// Takes what a page names.
    func note(_ objects: ListedObjects, isWhole: Bool) {
        state.withLock { state in
            state.isWhole = state.isWhole && isWhole
            state.count += 1
            guard state.objects != nil else { return state.objects = objects }
            state.objects?.formUnion(objects)
        }
    }

    /// How often a page has named something, or nothing.
    var noteCount: Int { state.withLock(\.count) }

    /// Takes that a page had nothing to tell.
    func noteGap() { state.withLock { $0.isWhole = false } }

    /// What all pages have named, nil where they are none, or one of them was not what it should be.
    var objects: ListedObjects? { state.withLock { $0.isWhole ? $0.objects : nil } }
}

extension TransportResponse {
    /// Whether nothing says that the content is less than what was asked for.
    ///
    /// Only 200 (OK) has the whole of it, and then unless its fields name a range, or another page.
    var isWholeList: Bool {
        guard head.status == .ok, isOfNow, head.headerFields[.contentRange] == nil,
            !Self.pageFields.contains(where: { !(head.headerFields[$0] ?? "").isEmpty })
        else { return false }
        return !LinkField.fields(of: head.headerFields).contains { link in
            link.relations.contains { ["next", "prev", "previous"].contains($0) }
        }
    }

    /// Whether the server has said it, or confirmed it, since it was asked: what a cache has kept lacks whatever
    /// has come since.
    var isOfNow: Bool { source == .network || source == .revalidated }

    private static let pageFields = [
        "Next-Page", "X-Next-Page", "Prev-Page", "X-Prev-Page",
    ].compactMap { HTTPField.Name($0) }
}
