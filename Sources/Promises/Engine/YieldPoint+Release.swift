#if !DEBUG
/// A place between two locked sections; empty, and without cost, in release builds.
enum YieldPoint {
    @inline(__always)
    static func pass() {}
}
#endif
