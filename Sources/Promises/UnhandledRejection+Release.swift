#if !DEBUG
extension UnhandledRejection {
    /// Whether rejections are reported before the program says anything about it; never in release
    /// builds.
    @inline(__always)
    static var isOnAtFirst: Bool { false }
}
#endif
