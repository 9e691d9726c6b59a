import Dispatch
import Foundation
import HTTPTypes
public import LarderObjectStore
import LarderPromises

/// A cache of responses, private to its clients: in memory, and in the file of a store.
///
/// ```swift
/// configuration.cache = ResponseCache(in: store)
/// ```
///
/// It keeps what RFC 9111 lets a private cache keep, for as long as that is fresh, and asks by its validators whether
/// what is not is still good. What of it is used and kept is said by a ``CachePolicy``. A response is kept
/// as it came, below interceptors and redirects and before validators and processors, each hop by itself, and for
/// requests with the same credentials alone. Content that is written to a file or read as it comes is not kept.
///
/// What can't be kept, as on a disk that is full, is lost to the cache and to nobody else. What the store's
/// file holds is gone where that is rebuilt.
public final class ResponseCache: Sendable {
    struct State {
        /// The resources that are asked for while what is kept of them is used.
        var refreshes: Set<ResponseCacheKey> = []
        /// Those who wait until there are none.
        var waiting: [Resolver<Void>] = []
        var secrets: SecretFields?
        var salt: [UInt8]?
        var hasBegun = false
    }

    /// The most variants of a resource that are kept for an account, as all of them are looked at.
    static let mostVariants = 16

    /// The most changes that wait for others, each with its content, before what comes is not kept.
    private static let mostChanges = 256

    let memory: MemoryResponses
    /// What outlives the process, or is somebody else's.
    let provider: (any ResponseCacheProvider)?
    let now: @Sendable () -> Date
    let state = Guarded(State())
    /// What it knows with all caches of its file.
    let ledger: CacheLedger
    /// The queues on which what is kept is read.
    private let readers = JobQueues(
        label: "larder.cache.read", qos: .userInitiated, width: Client.maximumDeliveries)
    /// The time for which changes under way are waited for.
    private let patience: DispatchTimeInterval
    private static let timer = DispatchQueue(label: "larder.cache.timer")

    /// Creates a cache in a store's file; of a store in memory, in memory.
    ///
    /// Several caches, clients and processes may share one file. What one has made invalid there, or could not remove,
    /// answers by no other of this process.
    public convenience init(in store: Store, limits: Limits = Limits()) {
        self.init(in: store, limits: limits, now: { Date() })
    }

    /// Creates a cache in memory.
    public static func inMemory(limits: Limits = Limits()) -> ResponseCache {
        ResponseCache(limits: limits, provider: nil, now: { Date() })
    }

    /// Creates a cache over something else that keeps responses; those of ``CachePolicy/memory(for:)`` are in memory.
    public convenience init(provider: any ResponseCacheProvider, limits: Limits = Limits()) {
        self.init(limits: limits, provider: provider, now: { Date() })
    }

    /// - Parameter now: The time, by a clock on the wall.
    convenience init(
        in store: Store?, limits: Limits = Limits(), now: @escaping @Sendable () -> Date
    ) {
        let stored = store.flatMap { store in
            store.path.map { StoredResponses(in: store, at: $0, limits: limits, now: now) }
        }
        self.init(limits: limits, provider: stored, now: now)
    }

    init(
        limits: Limits, provider: (any ResponseCacheProvider)?,
        patience: DispatchTimeInterval = .seconds(1), now: @escaping @Sendable () -> Date
    ) {
        memory = MemoryResponses(
            limit: limits.maximumMemorySize, responseLimit: limits.maximumResponseSize)
        (self.provider, self.patience, self.now) = (provider, patience, now)
        let stored = provider as? StoredResponses
        ledger = stored.map { CacheLedger.of($0.store) } ?? CacheLedger()
        // Before it is needed, as whoever needs it would wait for the store.
        if stored != nil { ledger.writer.async { _ = self.readSalt() } }
    }

    var time: Date { now() }

    /// The number of times that something was made invalid.
    var turn: Int { ledger.state.withLock(\.turn) }

    // MARK: Keys

    /// What makes keys; nil where there is no salt for them.
    ///
    /// - Parameter mayWait: Whether to wait for a store that has none yet.
    func keys(_ redaction: Redaction, mayWait: Bool) -> KeyMaker? {
        let (salt, secrets) = state.withLock { state in
            if state.secrets?.redaction != redaction { state.secrets = SecretFields(redaction) }
            return (state.salt, state.secrets)
        }
        guard let secrets, let salt = salt ?? readSalt(mayWait: mayWait) else { return nil }
        return KeyMaker(salt: salt) { secrets.contain($0) }
    }

    private func readSalt(mayWait: Bool = true) -> [UInt8]? {
        let salt: [UInt8]
        switch provider {
        case nil: salt = KeyMaker.makeSalt()
        case let stored as StoredResponses:
            guard let own = (try? stored.salt(orMake: mayWait)) ?? nil else { return nil }
            salt = own
        default:
            // What it keeps is to be found by the next process, too.
            salt = []
        }
        return state.withLock { state in
            state.salt = state.salt ?? salt
            return state.salt
        }
    }

    // MARK: Looking up

    /// Runs a look at what is kept, and what comes of it, off the calling thread: a hit may be stored by it.
    func look(_ body: @escaping @Sendable () -> Void) {
        readers.run(body)
    }

    /// Hands over what is kept under a key, once changes of it that are under way are done.
    ///
    /// - Parameter mayWait: Whether to wait for these, for a while; nothing is found otherwise.
    func find(
        _ key: ResponseCacheKey, for policy: CachePolicy, mayWait: Bool,
        _ proceed: @escaping @Sendable ([CachedResponse]) -> Void
    ) {
        guard let storage = storage(of: policy) else { return proceed([]) }
        beginUpkeep()
        flushAgain()
        removeAgain(key.resource)
        // Of which nothing is ever left.
        let isInMemory = storage is MemoryResponses
        let isChanging = ledger.state.withLock { state in
            state.changes[key.resource] != nil || state.changes[[]] != nil
        }
        let read: @Sendable () -> Void = {
            // It may be that of whoever has logged out, or what a write has made invalid.
            guard isInMemory || !self.hasLeftovers(of: key.resource) else { return proceed([]) }
            let found = ((try? storage.responses(for: key)) ?? []).filter(\.isSound)
            if let stored = storage as? StoredResponses, stored.isDamaged {
                self.change([]) { try stored.removeDamaged() }
            }
            let now = self.now()
            let useless = found.filter { $0.isUseless(at: now) }
            if !useless.isEmpty {
                self.change(key.resource) { try storage.remove(useless.map(\.id), of: key) }
            }
            proceed(found.filter { !$0.isUseless(at: now) })
        }
        guard isChanging else { return read() }
        guard mayWait else { return proceed([]) }
        let hasGoneOn = Guarded(false)
        @Sendable func goOn(_ next: @escaping @Sendable () -> Void) {
            let isFirst = hasGoneOn.withLock { hasGoneOn in
                defer { hasGoneOn = true }
                return !hasGoneOn
            }
            if isFirst { readers.run(next) }
        }
        ledger.writer.async { goOn(read) }
        // Whoever writes the file may take as long as it likes.
        Self.timer.asyncAfter(deadline: .now() + patience) { goOn { proceed([]) } }
    }

    func storage(of policy: CachePolicy) -> (any ResponseCacheProvider)? {
        switch policy.mode {
        case .off: nil
        case .memory: memory
        case .disk, .http, nil: provider ?? memory
        }
    }

    /// Removes what is of no use any more, once.
    private func beginUpkeep() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        // Nobody waits for it, as nobody finds what it removes.
        if isFirst, let provider {
            ledger.writer.async { try? provider.removeExpired(at: self.now()) }
        }
    }

    // MARK: Changing

    /// Applies changes, behind those before them.
    ///
    /// - Parameter turn: That in which what has come was asked for: it is not kept where it was made invalid since.
    func apply(_ changes: [CacheChange], by policy: CachePolicy, since turn: Int) {
        var turn = turn
        /// What was made invalid by others since it was asked for.
        var invalid: Set<[UInt8]> = []
        for change in changes {
            switch change {
            case .keep(let response, let key, let ids):
                guard let storage = storage(of: policy), !invalid.contains(key.resource) else {
                    continue
                }
                keep(response, for: key, replacing: ids, in: storage, since: turn)
            case .remove(let ids, let key):
                guard let storage = storage(of: policy) else { continue }
                changeOrLeave(key.resource) { try storage.remove(ids, of: key) }
            case .invalidate(let resource):
                // What has done so may be kept itself.
                turn = ledger.state.withLock { [turn] state in
                    if state.isInvalid(resource, since: turn) { invalid.insert(resource) }
                    state.invalidate(resource)
                    return state.turn
                }
                self.change(resource) {
                    self.memory.removeAll(of: resource)
                    self.removeAll(of: resource)
                }
            }
        }
    }

    /// Keeps a response, unless what makes it invalid comes before its turn.
    private func keep(
        _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [CachedResponse.ID],
        in storage: any ResponseCacheProvider, since turn: Int
    ) {
        guard provider != nil else {
            // Under the lock, as nothing else puts changes one behind the other.
            return ledger.state.withLock { state in
                guard !state.isInvalid(key.resource, since: turn) else { return }
                memory.keep(response, for: key, replacing: ids)
            }
        }
        guard ledger.state.withLock({ $0.changeCount < Self.mostChanges }) else {
            return changeOrLeave(key.resource) { try storage.remove(ids, of: key) }
        }
        changeOrLeave(key.resource) {
            let isInvalid = self.ledger.state.withLock { $0.isInvalid(key.resource, since: turn) }
            if isInvalid { return }
            do {
                try storage.keep(response, for: key, replacing: ids)
            } catch {
                // What it has not taken the place of is as good as before where it says the same.
                let isNews = try storage.responses(for: key)
                    .contains { ids.contains($0.id) && !$0.hasContent(of: response) }
                if isNews { throw error }
            }
        }
    }

    /// Changes what is kept of a resource, or of all for an empty one; what can't be done is as if nothing were
    /// kept.
    func change(_ resource: [UInt8], _ body: @escaping @Sendable () throws -> Void) {
        guard provider != nil else {
            try? body()
            return
        }
        ledger.state.withLock { state in
            state.changes[resource, default: 0] += 1
            state.changeCount += 1
        }
        ledger.writer.async {
            try? body()
            self.ledger.state.withLock { state in
                let count = (state.changes[resource] ?? 1) - 1
                state.changes[resource] = count > 0 ? count : nil
                state.changeCount -= 1
            }
        }
    }

    /// Notes that a resource is asked for; false where it is already.
    func beginRefresh(_ key: ResponseCacheKey) -> Bool {
        state.withLock { $0.refreshes.insert(key).inserted }
    }

    func endRefresh(_ key: ResponseCacheKey) {
        let waiting = state.withLock { state -> [Resolver<Void>] in
            state.refreshes.remove(key)
            guard state.refreshes.isEmpty else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for resolver in waiting { resolver.fulfill() }
    }
}
