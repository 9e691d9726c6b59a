#if DEBUG
/// The place in the source where a promise was created; kept in debug builds only.
@usableFromInline
struct CreationSite: Sendable {
    let fileID: StaticString?
    let line: UInt

    @usableFromInline
    init(_ fileID: StaticString, _ line: UInt) {
        self.fileID = fileID
        self.line = line
    }

    /// A promise that the library makes for itself.
    @usableFromInline
    init() {
        self.fileID = nil
        self.line = 0
    }

    var description: String? {
        fileID.map { "\($0):\(line)" }
    }
}
#endif

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
