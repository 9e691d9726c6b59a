import Dispatch
import LarderPromises
import Testing

@testable import LarderObjectStore

struct LiveValueTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        try store.insert("Card", #"[{"suit": "a", "value": "1"}, {"suit": "b", "value": "2"}]"#)
    }

    private func insert(_ suit: String, _ value: Int) throws {
        try store.insert("Card", #"{"suit": "\#(suit)", "value": "\#(value)"}"#)
    }

    // MARK: What is observed

    @Test func `counts objects`() throws {
        let recorder = LiveRecorder(
            store.observe { try $0.count(Card.where { $0.suit == "a" }) }, of: store)
        #expect(recorder.take() == [1])
        try insert("a", 2)
        #expect(recorder.take() == [2])
        try insert("c", 3)
        #expect(recorder.take() == [])
    }

    @Test func `goes on where the store was busy for too long`() async throws {
        let folder = try TemporaryFolder()
        var configuration = Store.Configuration()
        configuration.readerCount = 1
        configuration.busyTimeout = .milliseconds(20)
        let store = try Store(
            at: folder.file("a"), entities: Card.self, configuration: configuration)
        let (count, resolver) = Promise<Int>.pending()
        let observation = try await onOwnThread {
            try store.read { _ in
                let observation = store.observe { try $0.count(Card.all) }.start(
                    on: .immediate, onError: { resolver.reject($0) },
                    onChange: { resolver.fulfill($0) })
                // It has tried by now, and the only reader is here.
                store.settleObservers()
                return observation
            }
        }
        #expect(try await count.value == 0)
        observation.cancel()
    }

    @Test func `goes on where no connection could be opened for a moment`() async throws {
        let attempts = Guarded(0)
        let (count, resolver) = Promise<Int>.pending()
        let observation = store.observe { snapshot in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if attempt < 3 { throw StoreError(.cannotOpen, "no descriptors") }
            return try snapshot.count(Card.all)
        }.start(
            on: .immediate, onError: { resolver.reject($0) },
            onChange: { resolver.fulfill($0) })
        #expect(try await count.value == 2)
        observation.cancel()
    }

    @Test func `ends where none can be opened for as long as a lock is waited for`() async throws {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(100)
        let store = try Store.inMemory(entities: Card.self, configuration: configuration)
        let attempts = Guarded(0)
        let (error, resolver) = Promise<StoreError?>.pending()
        let observation = store.observe { _ -> Int in
            attempts.withLock { $0 += 1 }
            throw StoreError(.cannotOpen, "no descriptors")
        }.start(
            on: .immediate, onError: { resolver.fulfill($0 as? StoreError) }, onChange: { _ in })
        #expect(try await error.value?.reason == .cannotOpen)
        #expect(attempts.withLock(\.self) == 2)
        observation.cancel()
    }

    @Test func `finds the first object`() throws {
        let query = Card.where { $0.suit == "b" }.sorted { $0.value.descending }
        let recorder = LiveRecorder(store.observe(query.limit(1)).map(\.first), of: store)
        #expect(recorder.take().map { $0?.value } == ["2"])
        try insert("b", 1)
        #expect(recorder.take().isEmpty)
        try insert("b", 9)
        #expect(recorder.take().map { $0?.value } == ["9"])
        try store.run("DELETE FROM Card WHERE true")
        #expect(recorder.take().map { $0?.value } == [nil])
    }

    @Test func `reads several queries from one snapshot`() throws {
        let recorder = LiveRecorder(
            store.observe { snapshot in
                [try snapshot.count(Card.all), try snapshot.count(Power.all)]
            }, of: store)
        #expect(recorder.take() == [[2, 0]])
        try store.insert("Power", #"{"id": "x", "name": "X"}"#)
        #expect(recorder.take() == [[2, 1]])
        try store.insert("Publisher", #"{"id": 1, "name": "P"}"#)
        #expect(recorder.take() == [])
    }

    @Test func `follows what it reads from one time to the next`() throws {
        let recorder = LiveRecorder(
            store.observe { snapshot in
                try snapshot.count(Card.all) > 2 ? try snapshot.count(Power.all) : -1
            }, of: store)
        #expect(recorder.take() == [-1])
        try store.insert("Power", #"{"id": "x", "name": "X"}"#)
        #expect(recorder.take() == [])
        try insert("c", 1)
        #expect(recorder.take() == [1])
        try store.insert("Power", #"{"id": "y", "name": "Y"}"#)
        #expect(recorder.take() == [2])
    }

    @Test func `reads through relationships inside of a closure`() throws {
        try store.insert(
            "Hero", #"{"id": 1, "name": "A", "powers": [{"id": "x", "name": "X"}]}"#)
        let recorder = LiveRecorder(
            store.observe { snapshot in
                try snapshot.fetch(Hero.all).first?.powers.fetch().map(\.name) ?? []
            }, of: store)
        #expect(recorder.take() == [["X"]])
        try store.insert("Power", #"{"id": "x", "name": "Z"}"#)
        #expect(recorder.take() == [["Z"]])
        try store.insert("Hero", #"{"id": 1, "powers": []}"#)
        #expect(recorder.take() == [[]])
    }

    @Test func `what can't be compared comes whenever it may be another`() throws {
        struct Box: Sendable { let cards: [Card] }
        let recorder = LiveRecorder(
            store.observe { Box(cards: try $0.fetch(Card.all)) }, of: store)
        #expect(recorder.take().map(\.cards.count) == [2])
        try store.run("UPDATE Card SET suit = suit")
        #expect(recorder.take().map(\.cards.count) == [2])
        try store.insert("Power", #"{"id": "x", "name": "X"}"#)
        #expect(recorder.take().isEmpty)
    }

    // MARK: Calls

    @Test func `a transaction is one call`() throws {
        let recorder = LiveRecorder(store.observe { try $0.count(Card.all) }, of: store)
        #expect(recorder.take() == [2])
        try store.write { context in
            for value in 3..<30 {
                try context.import(
                    Card.self,
                    from: JSONDocument(#"{"suit": "x", "value": "\#(value)"}"#).root)
            }
        }
        #expect(recorder.take() == [29])
    }

    @Test func `a handler that is late gets the newest value only`() throws {
        let manual = ManualScheduler()
        let seen = Guarded<[Int]>([])
        let observation = store.observe { try $0.count(Card.all) }
            .start(on: manual.scheduler) { value in seen.withLock { $0.append(value) } }
        store.settleObservers()
        for value in 10..<15 {
            try insert("z", value)
            store.settleObservers()
        }
        #expect(manual.count == 1)
        manual.run()
        #expect(seen.withLock { $0 } == [7])
        try insert("z", 15)
        store.settleObservers()
        manual.run()
        #expect(seen.withLock { $0 } == [7, 8])
        withExtendedLifetime(observation) {}
    }

    @Test func `a handler may write`() throws {
        let recorder = LiveRecorder(store.observe { try $0.count(Card.all) }, of: store)
        let store = store
        let observation = store.observe { try $0.count(Card.all) }.start(on: .immediate) { count in
            if count < 5 {
                try? store.insert("Card", #"{"suit": "w", "value": "\#(count)"}"#)
            }
        }
        for _ in 0..<4 { store.settleObservers() }
        #expect(recorder.take().last == 5)
        withExtendedLifetime(observation) {}
    }

    // MARK: Endings

    @Test func `nothing comes after it is cancelled`() throws {
        let recorder = LiveRecorder(store.observe { try $0.count(Card.all) }, of: store)
        #expect(recorder.take() == [2])
        recorder.cancel()
        #expect(!store.observers.isActive)
        try insert("a", 7)
        #expect(recorder.take() == [])
    }

    @Test func `a value that waits for its scheduler is dropped when it is cancelled`() throws {
        let manual = ManualScheduler()
        let observation = store.observe { try $0.count(Card.all) }
            .start(on: manual.scheduler) { _ in Issue.record("called after its end") }
        store.settleObservers()
        #expect(manual.count == 1)
        observation.cancel()
        observation.cancel()
        manual.run()
    }

    @Test func `lasts as long as somebody refers to it`() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let held = Witness()
            witness = held
            let observation = store.observe { try $0.count(Card.all) }
                .start(on: .immediate) { _ in withExtendedLifetime(held) {} }
            store.settleObservers()
            #expect(store.observers.isActive)
            withExtendedLifetime(observation) {}
        }
        store.settleObservers()
        #expect(!store.observers.isActive)
        #expect(witness == nil)
    }

    @Test func `keeps its store, and lets go of it`() throws {
        weak var weakStore: Store?
        var observation: StoreObservation?
        do {
            let store = try Comics.store()
            weakStore = store
            observation = store.observe { try $0.count(Card.all) }.start(on: .immediate) { _ in }
            store.settleObservers()
        }
        #expect(weakStore != nil)
        let queue = weakStore?.observers.queue
        observation?.cancel()
        observation = nil
        queue?.sync {}
        #expect(weakStore == nil)
    }

    @Test func `lets go of its store where an error ends it`() throws {
        weak var weakStore: Store?
        var observation: StoreObservation?
        do {
            let store = try Comics.store()
            weakStore = store
            observation = store.observeChanges(of: Card.all).start(on: .immediate) { _ in }
            store.settleObservers()
            try store.close()
            store.settleObservers()
        }
        #expect(weakStore == nil)
        withExtendedLifetime(observation) {}
    }

    @Test func `ends with the error that reading meets`() throws {
        let recorder = LiveRecorder(store.observe { try $0.count(Card.all) }, of: store)
        #expect(recorder.take() == [2])
        try store.close()
        #expect(recorder.errorReasons == [.closed])
        #expect(!store.observers.isActive)
    }

    @Test func `an entity that the store does not have is an error at once`() throws {
        let store = try Store.inMemory(entities: Card.self)
        let recorder = LiveRecorder(store.lists(of: Hero.all), of: store)
        #expect(recorder.errorReasons == [.unknownEntity])
        #expect(!store.observers.isActive)
    }

    @Test func `calls on a scheduler that runs jobs side by side come one after the other`() {
        let (isHeld, isFree, isOver) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let seen = Guarded<[Int]>([])
        let queue = DispatchQueue(label: "side by side", attributes: .concurrent)
        let outlet = CallbackOutlet<Int>(on: .queue(queue), onError: { _ in }) { value in
            if value == 1 {
                isHeld.signal()
                _ = isFree.wait(timeout: .farAway)
            }
            seen.withLock { $0.append(value) }
            if value == 3 { isOver.signal() }
        }
        outlet.send(.success(1))
        #expect(isHeld.wait(timeout: .farAway) == .success)
        outlet.send(.success(2))
        outlet.send(.success(3))
        isFree.signal()
        #expect(isOver.wait(timeout: .farAway) == .success)
        #expect(seen.withLock(\.self) == [1, 3])
    }

    @Test
    func `an error that waits behind a value is not told once that value's handler has cancelled`()
        async throws
    {
        let queue = DispatchQueue(label: "lane")
        let lane = Scheduler.queue(queue)
        let (isHeld, holding) = Promise<Void>.pending()
        let goOn = DispatchSemaphore(value: 0)
        queue.async {
            holding.fulfill()
            goOn.wait()
        }
        try await isHeld.value
        let held = Guarded<StoreObservation?>(nil)
        let (isTold, telling) = Promise<Void>.pending()
        let observation = store.observe { try $0.count(Card.all) }.start(
            on: lane, onError: { _ in Issue.record("told after its end") },
            onChange: { _ in
                held.withLock(\.self)?.cancel()
                telling.fulfill()
            })
        held.withLock { $0 = observation }
        store.settleObservers()
        try store.close()
        store.settleObservers()
        goOn.signal()
        try await isTold.value
        try await Promise.fulfilled(()).then(on: lane) {}.value
    }
}
