import Foundation
import HTTPTypes
import LarderClient
import LarderPromises
import LarderTesting
import Observation
import Testing

/// Loads whose requests end when the test says so.
@MainActor @Suite struct LoaderTests {
    private let held = HeldTransport()
    private let client: Client

    init() throws {
        client = try TestClient.client(over: held)
    }

    private func loader(reportsProgress: Bool = false) -> Loader<String> {
        Loader(client, reportsProgress: reportsProgress) {
            $0.enqueue(.get("x"), as: String.self)
        }
    }

    private func answer(_ number: Int, _ text: String, status: HTTPResponse.Status = .ok) {
        held.end(number, .success(.json(text, status: status)))
    }

    /// Creates a loader that has loaded "one".
    private func loaded() async -> Loader<String> {
        let loader = loader()
        loader.load()
        answer(0, "one")
        await wait(for: loader) { $0.value != nil }
        return loader
    }

    /// Waits until the state is as a closure wants it.
    private func wait(
        for loader: Loader<String>, until isWanted: (LoadState<String>) -> Bool
    ) async {
        for await state in loader.states where isWanted(state) { return }
    }

    @Test func `it goes from idle to loading to loaded, and tells of it`() async throws {
        let loader = loader()
        #expect(!loader.isLoading && !loader.isLoaded && loader.errors.isEmpty)
        guard case .idle = loader.state else { return #expect(Bool(false)) }
        let (told, resolver) = Promise<Void>.pending()
        withObservationTracking({ _ = loader.isLoading }, onChange: { resolver.fulfill() })
        loader.load()
        try await told.value
        #expect(loader.isLoading && held.open == [0])
        answer(0, "one")
        await wait(for: loader) { $0.value != nil }
        #expect(loader.value == "one" && loader.isLoaded && !loader.isLoading)
    }

    @Test func `what fails is tried again when that is wanted`() async throws {
        let loader = loader()
        loader.retry()
        #expect(held.requests.isEmpty)
        loader.load()
        answer(0, "no", status: .serviceUnavailable)
        await wait(for: loader) { $0.error != nil }
        #expect((loader.errors.first as? ClientError)?.status == .serviceUnavailable)
        #expect(loader.errors.count == 1 && !loader.isLoaded)
        loader.retry()
        #expect(loader.isLoading && loader.errors.isEmpty)
        answer(1, "two")
        await wait(for: loader) { $0.value != nil }
        loader.retry()
        loader.loadIfNeeded()
        #expect(loader.value == "two" && held.requests.count == 2)
    }

    @Test func `the value stays while another one is loaded, and where that fails`() async {
        let loader = await loaded()
        loader.load()
        #expect(loader.value == "one" && loader.state.value == nil && !loader.isLoaded)
        answer(1, "no", status: .notFound)
        await wait(for: loader) { $0.error != nil }
        #expect(loader.value == "one")
    }

    @Test func `another load stops the one before, whose value does not count`() async {
        let loader = loader()
        loader.load()
        loader.load()
        #expect(held.cancelled == [0] && held.open == [1])
        answer(1, "two")
        await wait(for: loader) { $0.value != nil }
        #expect(loader.value == "two")
    }

    @Test func `cancelled, it is as it was before`() async {
        let loader = loader()
        loader.cancel()
        loader.load()
        loader.cancel()
        #expect(held.cancelled == [0])
        guard case .idle = loader.state else { return #expect(Bool(false)) }
        loader.load()
        answer(1, "one")
        await wait(for: loader) { $0.value != nil }
        loader.load()
        loader.cancel()
        #expect(loader.state.value == "one" && held.cancelled == [0, 2])
    }

    @Test func `another try that is cancelled leaves the failure, of a value too`() async {
        let loader = await loaded()
        loader.load()
        answer(1, "no", status: .serviceUnavailable)
        await wait(for: loader) { $0.error != nil }
        loader.retry()
        loader.cancel()
        #expect(loader.errors.count == 1 && !loader.isLoaded && loader.value == "one")
        loader.retry()
        #expect(loader.isLoading && held.requests.count == 4)
    }

    @Test func `who hears that it loads may stop it at once`() async {
        let loader = loader()
        withObservationTracking(
            { _ = loader.isLoading },
            onChange: { [weak loader] in
                MainActor.assumeIsolated { loader?.cancel() }
            })
        loader.load()
        guard case .idle = loader.state else { return #expect(Bool(false)) }
        #expect(held.requests.isEmpty)
        loader.load()
        #expect(loader.isLoading && held.open == [0])
    }

    @Test func `so it is where the client cancels its requests`() async {
        let loader = loader()
        loader.load()
        client.cancelAll()
        await wait(for: loader) { !$0.isLoading }
        guard case .idle = loader.state else { return #expect(Bool(false)) }
    }

    @Test func `with nobody left, the request is cancelled and the states end`() async {
        var loader: Loader<String>? = loader()
        loader?.load()
        let states = loader?.states
        weak let reference = loader
        loader = nil
        #expect(reference == nil && held.cancelled == [0])
        var count = 0
        if let states {
            for await state in states {
                #expect(state.isLoading)
                count += 1
            }
        }
        #expect(count == 1)
    }

    @Test func `others who wait for the same promise keep it`() async throws {
        let shared = client.enqueue(.get("x"), as: String.self)
        let other = shared.then { $0 + "!" }
        let loader = Loader(client) { _ in shared }
        loader.load()
        loader.cancel()
        #expect(held.cancelled == [])
        answer(0, "one")
        #expect(try await other.value == "one!")
    }

    @Test func `progress is shown where that is wanted`() async throws {
        let loader = loader(reportsProgress: true)
        loader.load()
        let report = try #require(held.requests.first?.onProgress)
        let progress = TransferProgress(received: 5, expectedToReceive: 10)
        report(progress)
        await wait(for: loader) { state in
            if case .loading(progress) = state { true } else { false }
        }
        #expect(loader.isLoading)
        answer(0, "one")
        await wait(for: loader) { $0.value != nil }
        report(progress)
        await Task.yield()
        #expect(loader.value == "one" && loader.isLoaded)
        let silent = self.loader()
        silent.load()
        #expect(held.requests.last?.onProgress == nil)
    }

    @Test func `a group is under way as long as one of them is`() async {
        let (first, second) = (loader(), loader())
        let group = LoaderGroup([first, LoaderGroup([second])])
        #expect(!group.isLoaded && !group.isLoading && LoaderGroup([]).isLoaded)
        group.loadIfNeeded()
        #expect(group.isLoading)
        answer(0, "one")
        await wait(for: first) { $0.value != nil }
        #expect(group.isLoading && !group.isLoaded)
        answer(1, "no", status: .notFound)
        await wait(for: second) { $0.error != nil }
        #expect(!group.isLoading && group.errors.count == 1)
        group.retry()
        #expect(held.open == [2] && first.isLoaded && second.isLoading)
        answer(2, "two")
        await wait(for: second) { $0.value != nil }
        #expect(group.isLoaded && group.errors.isEmpty)
        group.load()
        #expect(held.open == [3, 4])
        group.cancel()
        #expect(held.open == [] && group.isLoaded)
    }
}
