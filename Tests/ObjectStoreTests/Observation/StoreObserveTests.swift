import LarderPromises
import Testing

@testable import LarderObjectStore

struct StoreObserveTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        try store.insert(
            "Hero",
            """
            [{"id": 1, "name": "A", "strength": 1, "publisher": {"id": 1, "name": "P"}},
             {"id": 2, "name": "B", "strength": 2, "publisher": 1}]
            """)
    }

    private func recorder(_ query: Query<Hero>) -> LiveRecorder<[String]> {
        LiveRecorder(store.observe(query).map { $0.map(\.name) }, of: store)
    }

    // MARK: Calls

    @Test func `brings the objects at first and when they have changed`() throws {
        let recorder = recorder(Hero.all.sorted { $0.name.ascending })
        #expect(recorder.take() == [["A", "B"]])
        try store.insert("Hero", #"{"id": 1, "name": "C"}"#)
        #expect(recorder.take() == [["B", "C"]])
        try store.run("DELETE FROM Hero WHERE id = 2")
        #expect(recorder.take() == [["C"]])
    }

    @Test func `an import that changes nothing brings nothing`() throws {
        let recorder = recorder(Hero.all)
        _ = recorder.take()
        try store.insert("Hero", #"{"id": 1, "name": "A", "strength": 1}"#)
        try store.insert("Publisher", #"{"id": 1, "name": "Q"}"#)
        try store.insert("Card", #"{"suit": "a", "value": "1"}"#)
        #expect(recorder.take() == [])
    }

    @Test func `changes through relationships are seen`() throws {
        let recorder = recorder(Hero.where { $0.publisher.name == "P" })
        #expect(recorder.take() == [["A", "B"]])
        try store.insert("Publisher", #"{"id": 1, "name": "Q"}"#)
        #expect(recorder.take() == [[]])
        try store.insert("Hero", #"{"id": 2, "publisher": {"id": 2, "name": "P"}}"#.named)
        #expect(recorder.take() == [["N"]])
    }

    @Test func `changes of links are seen where the query asks about them`() throws {
        let linked = recorder(Hero.where { $0.powers.count > 0 })
        let all = recorder(Hero.all)
        #expect(linked.take() == [[]])
        #expect(all.take() == [["A", "B"]])
        try store.insert("Power", #"{"id": "x", "name": "X", "heroes": [2]}"#)
        #expect(linked.take() == [["B"]])
        #expect(all.take() == [])
    }

    @Test func `what is rolled back is not seen`() throws {
        struct Refusal: Error {}
        let recorder = recorder(Hero.all)
        _ = recorder.take()
        try store.write { context in
            try? context.savepoint {
                _ = try context.map(JSONDocument(#"{"id": 1, "name": "Z"}"#).root, as: "Hero")
                throw Refusal()
            }
        }
        #expect(recorder.take() == [])
    }

    @Test func `a file is observed as memory is`() throws {
        let fixture = try Comics.fixture()
        let recorder = LiveRecorder(
            fixture.store.observe { try $0.count(Card.all) }, of: fixture.store)
        #expect(recorder.take() == [0])
        try fixture.insert("Card", #"{"suit": "a", "value": "1"}"#)
        #expect(recorder.take() == [1])
    }

    @Test func `objects by calls on a scheduler`() throws {
        let manual = ManualScheduler()
        let names = Guarded<[[String]]>([])
        let observation = store.observe(Hero.all).start(on: manual.scheduler) { heroes in
            names.withLock { $0.append(heroes.map(\.name)) }
        }
        store.settleObservers()
        manual.run()
        #expect(names.withLock { $0 } == [["A", "B"]])
        withExtendedLifetime(observation) {}
    }

    // MARK: Iterations

    @Test(.timeLimit(.minutes(60)))
    func `an iteration begins with the objects and goes on with the newest`() async throws {
        var iterator = store.observe(Hero.all).makeAsyncIterator()
        #expect(try await iterator.next()?.map(\.name) == ["A", "B"])
        for name in ["X", "Y", "Z"] {
            try store.insert("Hero", #"{"id": 1, "name": "\#(name)"}"#)
            store.settleObservers()
        }
        #expect(try await iterator.next()?.map(\.name) == ["Z", "B"])
    }

    @Test(.timeLimit(.minutes(60)))
    func `an iteration waits for a change`() async throws {
        let store = store
        var seen: [[String]] = []
        for try await heroes in store.observe(Hero.all) {
            seen.append(heroes.map(\.name))
            if seen.count == 3 { break }
            let name = "n\(seen.count)"
            Task { try store.insert("Hero", #"{"id": 1, "name": "\#(name)"}"#) }
        }
        #expect(seen == [["A", "B"], ["n1", "B"], ["n2", "B"]])
    }

    @Test(.timeLimit(.minutes(60)))
    func `an iteration ends with its task`() async throws {
        let store = store
        let begun = Promise<Void>.pending()
        let task = Task {
            var count = 0
            for try await _ in store.observe(Hero.all) {
                count += 1
                begun.resolver.fulfill()
            }
            return count
        }
        try await begun.promise.value
        task.cancel()
        #expect(try await task.value == 1)
        store.settleObservers()
        #expect(!store.observers.isActive)
    }

    @Test(.timeLimit(.minutes(60)))
    func `giving up the iterator ends the observation and lets go of the store`() async throws {
        weak var weakStore: Store?
        do {
            let store = try Comics.store()
            weakStore = store
            var iterator = store.observe(Hero.all).makeAsyncIterator()
            _ = try await iterator.next()
            #expect(store.observers.isActive)
        }
        weakStore?.settleObservers()
        #expect(weakStore?.observers.isActive != true)
        weakStore?.settleObservers()
        #expect(weakStore == nil)
    }

    @Test(.timeLimit(.minutes(60)))
    func `an iteration throws what reading meets`() async throws {
        var iterator = store.observe(Hero.all).makeAsyncIterator()
        _ = try await iterator.next()
        try store.close()
        store.settleObservers()
        do {
            _ = try await iterator.next()
            Issue.record("nothing was thrown")
        } catch let error as StoreError {
            #expect(error.reason == .closed)
        }
        #expect(try await iterator.next() == nil)
    }

    @Test func `nothing is read before an iteration begins`() throws {
        let live = store.observe(Hero.all)
        #expect(!store.observers.isActive)
        withExtendedLifetime(live) {}
    }
}

extension String {
    /// With a name, which a hero must have that may be new.
    fileprivate var named: String { replacing("{\"id\": 2", with: #"{"name": "N", "id": 2"#) }
}
