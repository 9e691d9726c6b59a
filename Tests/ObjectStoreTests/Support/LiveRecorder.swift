import Dispatch
import LarderPromises

@testable import LarderObjectStore

/// Keeps all values that an observation hands on.
final class LiveRecorder<Value: Sendable>: Sendable {
    private let store: Store
    private let seen = Guarded<(values: [Value], errors: [any Error])>(([], []))
    private let observation = Guarded<StoreObservation?>(nil)

    init(_ live: LiveValue<Value>, of store: Store) {
        self.store = store
        let new = live.start(on: .immediate) { [weak self] error in
            self?.add(error)
        } onChange: { [weak self] value in
            self?.add(value)
        }
        observation.withLock { $0 = new }
    }

    private func add(_ value: Value) { seen.withLock { $0.values.append(value) } }

    private func add(_ error: any Error) { seen.withLock { $0.errors.append(error) } }

    /// The values since this was last asked, once nothing is left to be read.
    func take() -> [Value] {
        store.settleObservers()
        return seen.withLock { seen in
            defer { seen.values = [] }
            return seen.values
        }
    }

    /// The reasons of the store errors so far.
    var errorReasons: [StoreError.Reason] {
        store.settleObservers()
        return seen.withLock { $0.errors.compactMap { ($0 as? StoreError)?.reason } }
    }

    func cancel() { observation.withLock(\.self)?.cancel() }
}

extension Store {
    /// Waits until all that is known to have changed has been read.
    func settleObservers() {
        // Reading may find that it has to read once more.
        for _ in 0..<4 { observers.queue.sync {} }
    }

    /// Writes objects of an entity from JSON.
    func insert(_ entity: String, _ json: String) throws {
        let root = try JSONDocument(json).root
        try write { context in
            if root.kind == .array {
                _ = try context.mapElements(of: root, as: entity)
            } else {
                _ = try context.map(root, as: entity)
            }
        }
    }
}
