/// Several loads that are shown as one.
///
/// ```swift
/// let screen = LoaderGroup([profile, friends, news])
/// screen.loadIfNeeded()
/// ```
///
/// It is under way as long as one of them is, and has come once all have. What has failed can be tried again by
/// itself: ``retry()`` leaves the others as they are. Whoever shows it is told, as it is made of what they show.
@MainActor
public final class LoaderGroup: Loading {
    /// The loads, which may be groups.
    public let loaders: [any Loading]

    /// Whether one of them is under way.
    public var isLoading: Bool { loaders.contains { $0.isLoading } }

    /// Whether all of them have come; true of an empty group.
    public var isLoaded: Bool { loaders.allSatisfy { $0.isLoaded } }

    /// The errors of those that have failed.
    public var errors: [any Error] { loaders.flatMap { $0.errors } }

    /// Creates a group.
    public init(_ loaders: [any Loading]) {
        self.loaders = loaders
    }

    /// Loads all of them.
    public func load() {
        for loader in loaders { loader.load() }
    }

    /// Loads those that are neither there nor under way.
    public func loadIfNeeded() {
        for loader in loaders { loader.loadIfNeeded() }
    }

    /// Loads those again that have failed.
    public func retry() {
        for loader in loaders { loader.retry() }
    }

    /// Stops those that are under way.
    public func cancel() {
        for loader in loaders { loader.cancel() }
    }
}
