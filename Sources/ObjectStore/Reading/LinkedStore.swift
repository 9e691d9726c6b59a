/// The store that links lead into, for them to keep: what is read together has one.
///
/// Each link of a list keeps it, and a `Store` that somebody knows weakly, as clients do, would be kept by a longer way
/// (Swift counts references to such an object in a table beside it).
@usableFromInline
final class LinkedStore: Sendable {
    @usableFromInline let store: Store

    init(_ store: Store) {
        self.store = store
    }
}
