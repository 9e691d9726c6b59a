#if DEBUG
import LarderClient
import LarderObjectStore
import LarderTesting
import Testing

@testable import LarderPromises

/// Pulls whose task begins late.
@Suite struct PullSessionTests {
    @Test func `what was to be pulled before the log-out is pulled by nobody after it`()
        async throws
    {
        let transport = StubTransport(.json(#"[{"id": 1, "login": "ann"}]"#))
        let client = try TestClient.client(over: transport)
        let tasks = HeldTasks()
        let pull = YieldPoint.$executor.withValue(tasks) {
            client.pull(Resource("users"), as: [User].self)
        }
        try await client.logOut().value
        tasks.begin()
        let error = await #expect(throws: ClientError.self) { try await pull.value }
        #expect(error?.reason == .loggedOut && transport.requests.isEmpty)
        #expect(try client.store.count(User.all) == 0)
    }
}
#endif
