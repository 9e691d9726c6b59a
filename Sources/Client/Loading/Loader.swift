public import LarderPromises
public import Observation

/// A request for user interfaces: its state changes on the main actor, and whoever shows it is told.
///
/// ```swift
/// struct ProfileView: View {
///     @State private var profile = Loader(api) { $0.enqueue(.get("me"), as: Profile.self) }
///
///     var body: some View {
///         Group {
///             switch profile.state {
///             case .idle, .loading: ProgressView()
///             case .loaded(let profile): Text(profile.name)
///             case .failed: Button("Try again") { profile.retry() }
///             }
///         }
///         .task { profile.loadIfNeeded() }
///     }
/// }
/// ```
///
/// Objects that are stored are better shown by a `LiveQuery`, which follows them from then on; a loader says how
/// their request goes. It is cancelled when nobody refers to it any more.
@MainActor @Observable
public final class Loader<Value: Sendable>: Loading {
    /// How far it has come.
    public private(set) var state = LoadState<Value>.idle

    /// The value that came last, which stays while another one is loaded, and where that fails.
    public private(set) var value: Value?

    /// Whether it is under way.
    public var isLoading: Bool { state.isLoading }

    /// Whether it has come, and was not asked for again since.
    public var isLoaded: Bool { state.value != nil }

    /// The error, where it has failed.
    public var errors: [any Error] { state.error.map { [$0] } ?? [] }

    @ObservationIgnored private let enqueue: @MainActor (Client) -> Promise<Value>
    @ObservationIgnored private let client: Client
    @ObservationIgnored private let reportsProgress: Bool
    @ObservationIgnored private let listeners = Listeners()
    @ObservationIgnored private var current: Load?
    /// The state before what is under way.
    @ObservationIgnored private var settled = LoadState<Value>.idle

    /// Creates a loader, which loads nothing yet.
    ///
    /// - Parameters:
    ///   - client: The client that is to be enqueued with.
    ///   - reportsProgress: Whether the state of what is under way has the bytes that have moved; a request whose
    ///     progress is reported shares no exchange with others.
    ///   - enqueue: Enqueues, once for each load; several requests as one promise, such as by `Promise.all`.
    public init(
        _ client: Client, reportsProgress: Bool = false,
        _ enqueue: @escaping @MainActor (Client) -> Promise<Value>
    ) {
        self.client = client
        self.reportsProgress = reportsProgress
        self.enqueue = enqueue
    }

    /// The states from now on, the present one first; one that is replaced before it is read is left out.
    ///
    /// The sequence ends with the loader, which it does not keep.
    public var states: AsyncStream<LoadState<Value>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LoadState<Value>.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(state)
        listeners.add(continuation)
        return stream
    }

    /// Loads the value, and stops what is under way; what that brings does not count any more.
    public func load() {
        let load = Load()
        current = load
        show(.loading(nil))
        // Whoever is told at once may have stopped it, or loaded anew.
        guard current === load else {
            if current == nil { show(settled) }
            return
        }
        var client = client
        if reportsProgress {
            client = client.reportingProgress { [weak self, weak load] progress in
                load?.note(progress) { self?.showProgress(of: load) }
            }
        }
        // A branch of it: others may wait for the promise too.
        load.branch = enqueue(client)
            .tap(on: MainActor.shared) { [weak self, weak load] result in self?.end(load, result) }
            .then(on: .immediate) { _ in }
            .catch(on: .immediate) { _ in }
    }

    /// Stops what is under way; the state is the one before.
    public func cancel() {
        guard current != nil else { return }
        current = nil
        show(settled)
    }

    private func end(_ load: Load?, _ result: Result<Value, any Error>) {
        guard let load, current === load else { return }
        switch result {
        case .success(let value):
            current = nil
            self.value = value
            show(.loaded(value))
        case .failure(is CancellationError): cancel()
        case .failure(let error):
            current = nil
            show(.failed(error))
        }
    }

    private func showProgress(of load: Load?) {
        guard let load, current === load, let progress = load.takeProgress() else { return }
        show(.loading(progress))
    }

    private func show(_ state: LoadState<Value>) {
        if case .loading = state {} else { settled = state }
        self.state = state
        listeners.yield(state)
    }

    /// One load, which is stopped when it is let go of: nobody but the loader keeps it.
    private final class Load: Sendable {
        private struct State {
            var branch: Promise<Void>?
            /// What has not been shown yet.
            var progress: TransferProgress?
        }

        private let state = Guarded(State())

        var branch: Promise<Void>? {
            get { state.withLock(\.branch) }
            set { state.withLock { $0.branch = newValue } }
        }

        deinit { branch?.cancel() }

        /// Takes a report, and has it shown on the main actor unless one is about to be.
        func note(_ progress: TransferProgress, _ show: @escaping @MainActor @Sendable () -> Void) {
            let isAwaited = state.withLock { state in
                defer { state.progress = progress }
                return state.progress != nil
            }
            if !isAwaited { Task { @MainActor in show() } }
        }

        func takeProgress() -> TransferProgress? {
            state.withLock { state in
                defer { state.progress = nil }
                return state.progress
            }
        }
    }

    /// Those who follow the states; they are told when there are no more.
    private final class Listeners: Sendable {
        private let continuations = Guarded<[Int: AsyncStream<LoadState<Value>>.Continuation]>([:])

        deinit {
            for continuation in continuations.withLock({ $0.values.map(\.self) }) {
                continuation.finish()
            }
        }

        func add(_ continuation: AsyncStream<LoadState<Value>>.Continuation) {
            let id = continuations.withLock { continuations in
                let id = (continuations.keys.max() ?? 0) + 1
                continuations[id] = continuation
                return id
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.continuations.withLock { $0.removeValue(forKey: id) }
            }
        }

        func yield(_ state: LoadState<Value>) {
            for continuation in continuations.withLock({ $0.values.map(\.self) }) {
                continuation.yield(state)
            }
        }
    }
}
