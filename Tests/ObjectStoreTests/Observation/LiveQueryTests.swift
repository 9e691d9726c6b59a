import LarderPromises
import Observation
import Testing

@testable import LarderObjectStore

@MainActor struct LiveQueryTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        try store.insert("Hero", #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#)
    }

    /// Waits until one of the properties that a closure reads changes.
    private func change(_ action: () throws -> Void, of read: () -> Void) async throws {
        let (promise, resolver) = Promise<Void>.pending()
        withObservationTracking(read) { resolver.fulfill() }
        try action()
        try await promise.value
        // It is told before it happens, on the main actor.
        await Task.yield()
    }

    @Test(.timeLimit(.minutes(60)))
    func `loads its objects and follows the store`() async throws {
        let live = LiveQuery(Hero.all, in: store)
        #expect(!live.isLoaded && live.objects.isEmpty && live.error == nil)
        try await change({}, of: { _ = live.isLoaded })
        #expect(live.isLoaded)
        #expect(live.objects.map(\.name) == ["A", "B"])
        try await change(
            { try store.insert("Hero", #"{"id": 1, "name": "C"}"#) }, of: { _ = live.objects })
        #expect(live.objects.map(\.name) == ["C", "B"])
    }

    @Test(.timeLimit(.minutes(60)))
    func `another query brings its objects`() async throws {
        let live = LiveQuery(Hero.all, in: store)
        try await change({}, of: { _ = live.isLoaded })
        try await change(
            { live.query = Hero.where { $0.name == "B" } }, of: { _ = live.objects })
        #expect(live.objects.map(\.name) == ["B"])
    }

    @Test(.timeLimit(.minutes(60)))
    func `shows the error that ends it and keeps its objects`() async throws {
        let live = LiveQuery(Hero.all, in: store)
        try await change({}, of: { _ = live.isLoaded })
        try await change({ try store.close() }, of: { _ = live.error })
        #expect((live.error as? StoreError)?.reason == .closed)
        #expect(live.objects.count == 2)
    }

    @Test func `observes as long as it is there`() throws {
        do {
            let live = LiveQuery(Hero.all, in: store)
            #expect(store.observers.isActive)
            withExtendedLifetime(live) {}
        }
        store.settleObservers()
        #expect(!store.observers.isActive)
    }
}
