import Testing

/// What a suite has whose tests go over the system's transport: where that is FoundationNetworking's, those that it is
/// known to fail are expected to.
struct PlatformTransportTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let fault = FoundationNetworkingFault.of(test.displayName ?? test.name)
        try await FoundationNetworkingFault.expecting(fault, function)
    }
}

extension Trait where Self == PlatformTransportTrait {
    static var platformTransport: Self { Self() }
}
