import Dispatch
import LarderPromises

/// Reads one observed value: at first, and whenever what it is read from has changed.
///
/// It reads on the observers' queue, never on the writer's, and hands each new value on there. It
/// lasts as long as somebody refers to it, and keeps its store open unless an error ends it.
final class LiveReading<Source: LiveSource>: Observing {
    /// The phase of a reading; what changes in the meantime is kept until it reads.
    private enum Phase {
        /// Waits for changes that concern it.
        case idle(Dependencies)
        /// Waits for its turn on the queue.
        case scheduled
        case reading
        case ended
    }

    private struct State {
        var phase = Phase.scheduled
        var changes = Changes()
        /// The number of times in a row that no connection could be opened.
        var failures = 0
    }

    /// The store that it reads, and who gets what it reads.
    private struct Ends: Sendable {
        let store: Store
        let outlet: @Sendable (Result<Source.Value, any Error>) -> Void
    }

    private let observers: Observers
    private let state = Guarded(State())
    /// How often in a row it tries to open a connection again: for as long as a lock is waited for.
    private let patience: Int
    /// Only touched on the queue, as is the source; both nil once an error has ended it.
    private let ends: Guarded<Ends?>
    private let source: Guarded<Source?>

    /// Begins to read a value.
    ///
    /// - Parameter outlet: Gets the first value, each that differs from the last, and the error
    ///   that ends it.
    init(
        _ source: Source, of store: Store,
        outlet: @escaping @Sendable (Result<Source.Value, any Error>) -> Void
    ) {
        observers = store.observers
        patience = Int(store.configuration.busyMilliseconds) / Self.pause
        ends = Guarded(Ends(store: store, outlet: outlet))
        self.source = Guarded(source)
        // Whatever is committed from now on is told, and what was before is read.
        observers.add(self)
        schedule()
    }

    deinit { observers.remove(ObjectIdentifier(self)) }

    /// Ends it; what is being read now is not handed on.
    func cancel() {
        state.withLock { $0.phase = .ended }
        observers.remove(ObjectIdentifier(self))
    }

    func note(_ changes: Changes) {
        let isAffected = state.withLock { state in
            switch state.phase {
            case .ended: return false
            case .scheduled, .reading:
                state.changes.formUnion(changes)
                return false
            case .idle(let dependencies):
                guard dependencies.areAffected(by: changes) else { return false }
                state.changes = changes
                state.phase = .scheduled
                return true
            }
        }
        if isAffected { schedule() }
    }

    private func schedule() {
        observers.queue.async { [weak self] in self?.read() }
    }

    private func read() {
        guard !isEnded, let ends = ends.withLock(\.self) else { return }
        do {
            let value = try ends.store.readInOrder(takeChanges) { snapshot, changes in
                guard let changes else { return nil as Source.Value? }
                return try source.withLock { try $0?.evaluate(in: snapshot, after: changes) }
            }
            // Outside of the snapshot, so that whoever gets the value can write.
            if let value, !isEnded { ends.outlet(.success(value)) }
            rest()
        } catch let error as StoreError where error.reason == .busy || isMomentary(error) {
            readLater()
        } catch {
            if !isEnded {
                cancel()
                letGo()
                ends.outlet(.failure(error))
            }
        }
    }

    /// Whether an error may be gone after a while: it is that of a process, or a system, that has no
    /// more descriptors for files.
    private func isMomentary(_ error: StoreError) -> Bool {
        guard error.reason == .cannotOpen else { return false }
        return state.withLock { state in
            state.failures += 1
            return state.failures <= patience
        }
    }

    /// Lets go of the store and of what was read last: whoever has begun it may keep it for long.
    private func letGo() {
        _ = ends.withLock { $0.take() }
        _ = source.withLock { $0.take() }
    }

    /// The time before it reads once more, in milliseconds.
    private static var pause: Int { 100 }

    /// Reads once more after a moment: whoever has kept the store so long may be done by then.
    private func readLater() {
        let isScheduled = state.withLock { state in
            if case .ended = state.phase { return false }
            // What has been taken may not have been read.
            state.changes = .everything
            state.phase = .scheduled
            return true
        }
        guard isScheduled else { return }
        observers.queue.asyncAfter(deadline: .now() + .milliseconds(Self.pause)) { [weak self] in
            self?.read()
        }
    }

    /// Takes the changes since it last read, nil where it is not to read any more; what is told
    /// from now on is not in the snapshot that has just begun.
    private func takeChanges() -> Changes? {
        state.withLock { state in
            guard case .scheduled = state.phase else { return nil }
            state.phase = .reading
            defer { state.changes = Changes() }
            return state.changes
        }
    }

    private var isEnded: Bool {
        state.withLock { if case .ended = $0.phase { true } else { false } }
    }

    /// Waits for changes, unless there have been some while it was reading.
    private func rest() {
        guard let dependencies = source.withLock({ $0?.dependencies }) else { return }
        let isAffected = state.withLock { state in
            guard case .reading = state.phase else { return false }
            state.failures = 0
            if dependencies.areAffected(by: state.changes) {
                state.phase = .scheduled
                return true
            }
            state.changes = Changes()
            state.phase = .idle(dependencies)
            return false
        }
        if isAffected { schedule() }
    }
}
