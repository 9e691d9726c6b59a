import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// What the store had when a list was asked for, so that what the list lacks of it can be found.
final class ListedPages: Sendable {
    let completeness: Completeness
    /// What may have vanished.
    let candidates: VanishingCandidates
    /// Whether each page is by itself: what it names is there, and all of them together say nothing of others.
    let isOfParts: Bool
    /// What the pages have named so far, nil once one of them shows that they can't be a whole.
    private let state = Guarded(State())

    private struct State {
        var objects: ListedObjects?
        var isWhole = true
        var count = 0
        /// Whether the last page says that there is another one.
        var saysMore = false
    }

    init(_ completeness: Completeness, besides candidates: VanishingCandidates) {
        self.completeness = completeness
        self.candidates = candidates
        isOfParts = false
    }

    /// Creates that of pages each of which is by itself; nil where they are not asked about.
    init?(ofParts completeness: Completeness) {
        if completeness.isPartial { return nil }
        self.completeness = completeness
        candidates = VanishingCandidates(noneOf: completeness)
        isOfParts = true
    }

    /// Takes what a page names.
    ///
    /// - Parameter saysMore: Whether it says that there is another one.
    func note(_ objects: ListedObjects, isWhole: Bool, saysMore: Bool) {
        state.withLock { state in
            state.isWhole = state.isWhole && isWhole
            state.saysMore = saysMore
            state.count += 1
            if isOfParts { return }
            guard state.objects != nil else { return state.objects = objects }
            state.objects?.formUnion(objects)
        }
    }

    /// How often a page has named something, or nothing.
    var noteCount: Int { state.withLock(\.count) }

    /// Takes that a page had nothing to tell.
    func noteGap() { state.withLock { $0.isWhole = false } }

    /// What pages have named, whatever they are.
    var named: ListedObjects? { state.withLock(\.objects) }

    /// What all pages have named, nil where they are none, one of them was not what it should be, or the last
    /// says that it is not the last.
    var objects: ListedObjects? {
        state.withLock { $0.isWhole && !$0.saysMore ? $0.objects : nil }
    }
}

extension TransportResponse {
    /// Whether nothing says that the content is less than what was asked for.
    ///
    /// Only 200 (OK) has the whole of it, and then unless its fields name a range, or another page.
    var isWholeList: Bool {
        head.status == .ok && head.headerFields[.contentRange] == nil
            && !leads(by: Self.nextFields + Self.previousFields, or: ["next", "prev", "previous"])
    }

    /// Whether its fields lead to another page behind it.
    var leadsOn: Bool { leads(by: Self.nextFields, or: ["next"]) }

    private func leads(by fields: [HTTPField.Name], or relations: Set<String>) -> Bool {
        fields.contains { !(head.headerFields[$0] ?? "").isEmpty }
            || LinkField.fields(of: head.headerFields).contains { link in
                !relations.isDisjoint(with: link.relations)
            }
    }

    private static let nextFields = ["Next-Page", "X-Next-Page"].compactMap { HTTPField.Name($0) }
    private static let previousFields =
        ["Prev-Page", "X-Prev-Page"].compactMap { HTTPField.Name($0) }

    /// Whether it is none that the client's cache has kept.
    var isOfNow: Bool { source.isOfNow }

    /// Whether the server has made or confirmed it since it was asked: what a cache has had, its own or one
    /// on the way, knows nothing of what came later.
    var isCurrent: Bool {
        guard isOfNow else { return false }
        let age = head.headerFields[.age]?.split(separator: ",").first
        return (age.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0) <= 0
    }
}
