/// Something that is loaded and can be loaded again: a ``Loader``, or a ``LoaderGroup``.
@MainActor
public protocol Loading: AnyObject {
    /// Whether it is under way.
    var isLoading: Bool { get }

    /// Whether it has come, and was not asked for again since.
    var isLoaded: Bool { get }

    /// The errors of what has failed.
    var errors: [any Error] { get }

    /// Loads it, anew where it is there or under way.
    func load()

    /// Loads it where it is neither there nor under way.
    func loadIfNeeded()

    /// Loads it again where it has failed.
    func retry()

    /// Stops what is under way.
    func cancel()
}

extension Loading {
    /// Loads it where it is neither there nor under way.
    public func loadIfNeeded() {
        if !isLoaded, !isLoading { load() }
    }

    /// Loads it again where it has failed.
    public func retry() {
        if !errors.isEmpty { load() }
    }
}
