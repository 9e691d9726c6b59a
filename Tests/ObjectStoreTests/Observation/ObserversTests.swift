import Dispatch
import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Observes, and takes note of nothing.
private final class Deaf: Observing {
    func note(_ changes: Changes) {}
}

/// Lets go of something as it is told.
private final class Releaser: Observing {
    private let release: @Sendable () -> Void

    init(_ release: @escaping @Sendable () -> Void) { self.release = release }

    func note(_ changes: Changes) { release() }
}

struct ObserversTests {
    @Test func `is active while somebody observes`() throws {
        let store = try Comics.store()
        #expect(!store.observers.isActive)
        var recorder: ChangeRecorder? = ChangeRecorder(store)
        let second = ChangeRecorder(store)
        #expect(store.observers.isActive && recorder != nil)
        recorder = nil
        #expect(store.observers.isActive)
        withExtendedLifetime(second) {}
    }

    /// On a thread whose stack is as small as those of Apple's systems.
    @Test func `may be observed again and again`() async {
        let (count, isActive) = await withCheckedContinuation { continuation in
            let thread = Thread {
                let observers = Observers()
                let told = Guarded(0)
                observers.onActivity { isActive in told.withLock { $0 += isActive ? 1 : 0 } }
                let observer = Deaf()
                for _ in 0..<20_000 {
                    observers.add(observer)
                    observers.remove(ObjectIdentifier(observer))
                }
                continuation.resume(returning: (told.withLock(\.self), observers.isActive))
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(count == 20_000 && !isActive)
    }

    @Test func `tells everybody once per transaction`() throws {
        let store = try Comics.store()
        let recorders = [ChangeRecorder(store), ChangeRecorder(store)]
        try store.run(
            "INSERT INTO Card (suit, value) VALUES ('a', '1')",
            "INSERT INTO Card (suit, value) VALUES ('a', '2')")
        try store.run("INSERT INTO Card (suit, value) VALUES ('a', '3')")
        for recorder in recorders {
            let told = recorder.take()
            #expect(told.count == 2)
            let table = TableNames(store.plan).number(named: "Card") ?? -1
            #expect(told.first?.tables[table]?.sortedRows == [1, 2])
            #expect(told.last?.tables[table]?.sortedRows == [3])
        }
    }

    @Test func `tells nothing of what is rolled back or changes nothing`() throws {
        let store = try Comics.store()
        let recorder = ChangeRecorder(store)
        #expect(throws: StoreError.self) {
            try store.run("INSERT INTO Card (suit, value) VALUES ('a', '1')", "nonsense")
        }
        #expect(recorder.take().isEmpty)
        try store.run("UPDATE Card SET timesPlayed = 1")
        #expect(recorder.take().isEmpty)
        try store.run("INSERT INTO Card (suit, value) VALUES ('a', '1')")
        #expect(recorder.take().count == 1)
    }

    @Test func `who comes in the middle of a transaction is told that there was something`() throws
    {
        let store = try Comics.store()
        var recorder: ChangeRecorder?
        try store.write { context in
            try context.import(Card.self, from: JSONDocument(#"{"suit": "a", "value": "1"}"#).root)
            recorder = ChangeRecorder(store)
        }
        let told = try #require(recorder).take()
        #expect(told.count == 1)
        #expect(told.first?.isEverything == true)
    }

    @Test
    func `another connection's commits are everything, at the next transaction at the latest`()
        throws
    {
        let fixture = try Comics.fixture()
        let recorder = ChangeRecorder(fixture.store)
        let other = try Store(at: fixture.path, model: fixture.store.model)
        try other.run("INSERT INTO Card (suit, value) VALUES ('a', '1')")
        #expect(recorder.take().isEmpty)
        try fixture.store.run("UPDATE Card SET timesPlayed = 2")
        #expect(recorder.take().map(\.isEverything) == [true])
        try fixture.store.run("UPDATE Card SET timesPlayed = 3")
        #expect(recorder.take().map(\.isEverything) == [false])
        // Also where the own transaction fails.
        try other.run("UPDATE Card SET timesPlayed = 4")
        #expect(throws: StoreError.self) { try fixture.store.run("nonsense") }
        #expect(recorder.take().map(\.isEverything) == [true])
    }

    @Test func `closing the store is told`() throws {
        let store = try Comics.store()
        let recorder = ChangeRecorder(store)
        try store.close()
        #expect(recorder.take().map(\.isEverything) == [true])
    }

    @Test func `asking for foreign commits tells of them`() throws {
        let fixture = try Comics.fixture()
        let recorder = ChangeRecorder(fixture.store)
        let other = try Store(at: fixture.path, model: fixture.store.model)
        fixture.store.startCheckingForeignCommits()
        try fixture.store.writer.run { _, _ in }
        #expect(recorder.take().isEmpty)
        try other.run("INSERT INTO Card (suit, value) VALUES ('a', '1')")
        fixture.store.startCheckingForeignCommits()
        fixture.store.startCheckingForeignCommits()
        try fixture.store.writer.run { _, _ in }
        #expect(recorder.take().map(\.isEverything) == [true])
    }

    /// Once by the look for them, once as a transaction of the store's own fails.
    @Test(arguments: [false, true])
    func `others' commits are told behind the beginning of a snapshot`(isFailing: Bool) throws {
        let fixture = try Comics.fixture()
        let store = fixture.store
        let live = LiveRecorder(store.observe { try $0.count(Card.all) }, of: store)
        #expect(live.take() == [0])
        let recorder = ChangeRecorder(store)
        let other = try Store(at: fixture.path, model: store.model)
        let hasTold = DispatchSemaphore(value: 0)
        let outcome = try store.order.snapshot({}) { _ in
            // The snapshot has begun, and does not hold it.
            try other.run("INSERT INTO Card (suit, value) VALUES ('a', '1')")
            let finish: @Sendable (Result<Void, any Error>) -> Void = { _ in hasTold.signal() }
            if isFailing {
                _ = store.startWriting({ _ in throw CancellationError() }, finish: finish)
            } else {
                _ = store.writer.start(
                    { store.writer.publishForeignCommits($1) }, finish: finish)
            }
            // It ends at once where it does not wait for its turn.
            return hasTold.wait(timeout: .now() + .milliseconds(100))
        }
        #expect(outcome == .timedOut)
        if outcome == .timedOut { hasTold.wait() }
        #expect(recorder.take().map(\.isEverything) == [true])
        #expect(live.take() == [1])
    }

    @Test func `the last observer may go as it is told, and its store with it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        var store: Store? = try Store(at: path, entities: Card.self)
        weak let last = store
        let writer = try #require(store?.writer)
        let observers = try #require(store?.observers)
        let observation = Guarded(
            store?.observe { try $0.count(Card.all) }
                .start(on: .immediate, onError: { _ in }, onChange: { _ in }))
        store?.settleObservers()
        store = nil
        #expect(last != nil)
        let releaser = Releaser { observation.withLock { $0 = nil } }
        observers.add(releaser)
        defer { observers.remove(ObjectIdentifier(releaser)) }
        try Store(at: path, entities: Card.self)
            .run("INSERT INTO Card (suit, value) VALUES ('a', '1')")
        // Nothing is read meanwhile, which would keep the store for a while.
        observers.queue.suspend()
        try writer.run { writer.publishForeignCommits($1) }
        observers.queue.resume()
        observers.queue.sync {}
        #expect(last == nil)
    }

    /// Saves something as it goes, such as what somebody has typed.
    private final class Draft: Sendable {
        private let store: Store

        init(_ store: Store) { self.store = store }

        deinit { try? store.run("INSERT INTO Card (suit, value) VALUES ('draft', '1')") }
    }

    /// By the store's own commits, and by the look for others' as somebody begins to observe.
    @Test(arguments: [false, true])
    func `what an observer keeps may write as it goes`(isForeign: Bool) throws {
        let fixture = try Comics.fixture()
        let store = fixture.store
        let observation = Guarded<StoreObservation?>(nil)
        func observe() {
            let draft = Draft(store)
            let own = store.observe { try $0.count(Card.all) }
                .start(on: .immediate, onError: { _ in }, onChange: { _ in _ = draft })
            observation.withLock { $0 = own }
        }
        observe()
        store.settleObservers()
        let releaser = Releaser { _ = observation.withLock { $0.take() } }
        store.observers.add(releaser)
        defer { store.observers.remove(ObjectIdentifier(releaser)) }
        let sql = "INSERT INTO Card (suit, value) VALUES ('a', '1')"
        if isForeign {
            try Store(at: fixture.path, model: store.model).run(sql)
            let other = LiveRecorder(store.observe { try $0.count(Card.all) }, of: store)
            _ = other.take()
        } else {
            try store.run(sql)
        }
        store.settleObservers()
        #expect(observation.withLock { $0 == nil })
        #expect(try store.count(Card.where { $0.suit == "draft" }) == 1)
    }
}
