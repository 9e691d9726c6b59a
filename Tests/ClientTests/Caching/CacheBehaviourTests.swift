import LarderObjectStore
import Testing

/// What a cache does, over sockets: of each line of ``CacheBehaviours``, in memory and in a file.
@Suite struct CacheBehaviourTests {
    @Test(arguments: CacheBehaviours.all.indices)
    func `in memory`(_ index: Int) async throws {
        let scenario = CacheBehaviours.all[index]
        let run = try CacheRun(in: nil)
        defer { run.origin.stop() }
        try await Self.check(scenario, in: run)
    }

    /// Some are among what URLSession's version for Linux gets wrong.
    private static func check(_ scenario: CacheScenario, in run: CacheRun) async throws {
        try await FoundationNetworkingFault.expecting(.of(scenario.id)) {
            let failure = try await run.failure(in: scenario)
            #expect(failure == nil, "\(scenario.id)")
        }
    }

    @Test func `in a file, all of them`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let run = try CacheRun(in: store)
        defer { run.origin.stop() }
        for scenario in CacheBehaviours.all { try await Self.check(scenario, in: run) }
    }
}
