#if !DEBUG
/// The place in the source where a promise was created; empty, and without cost, in release builds.
@usableFromInline
struct CreationSite: Sendable {
    @inlinable
    init(_ fileID: StaticString, _ line: UInt) {}

    @inlinable
    init() {}

    var description: String? { nil }
}
#endif
