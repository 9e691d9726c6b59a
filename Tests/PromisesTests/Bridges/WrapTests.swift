import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WrapTests {
    private func load(
        _ result: Result<Int, any Error>,
        completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) { completion(result) }

    private func load(
        _ value: Int?, _ error: (any Error)?,
        completion: @escaping @Sendable (Int?, (any Error)?) -> Void
    ) { completion(value, error) }

    @Test func `a handler of a result`() async throws {
        let done = Promise.wrap { load(.success(1), completion: $0) }
        #expect(try await done.value == 1)
        let failed = Promise.wrap { load(.failure(Sample.first), completion: $0) }
        #expect(await failed.failure as? Sample == .first)
    }

    @Test func `a handler of a value or an error`() async throws {
        let done = Promise.wrap { load(1, nil, completion: $0) }
        #expect(try await done.value == 1)
        let failed = Promise.wrap { load(nil, Sample.first, completion: $0) }
        #expect(await failed.failure as? Sample == .first)
        let both = Promise.wrap { load(1, Sample.second, completion: $0) }
        #expect(await both.failure as? Sample == .second)
        let neither = Promise.wrap { load(nil, nil, completion: $0) }
        #expect(await neither.failure as? PromiseError == .noOutcome)
    }

    @Test func `a handler that is dropped rejects`() async {
        let dropped = Promise<Int>.wrap { (_: @Sendable (Result<Int, any Error>) -> Void) in }
        #expect(await dropped.failure as? PromiseError == .abandoned)
    }
}
