#if !DEBUG
/// Where in the source a promise was created; empty, and without cost, in release builds.
@usableFromInline
struct CreationSite: Sendable {
    @inlinable
    init(_ fileID: StaticString, _ line: UInt) {}

    @inlinable
    init() {}

    var description: String? { nil }
}
#endif
