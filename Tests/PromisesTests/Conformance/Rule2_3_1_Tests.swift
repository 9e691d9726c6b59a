import LarderPromises
import Testing

@Suite("2.3.1: a promise resolved with itself rejects", .timeLimit(.minutes(60)))
struct Rule2_3_1_Tests {
    /// Lets the handler of a promise see that promise.
    private static func failure(
        of attach: (_ own: @escaping @Sendable () -> Promise<Int>) -> Promise<Int>,
        settling: () -> Void
    ) async -> (any Error)? {
        let box = Log<Promise<Int>>()
        let promise = attach { box.entries[0] }
        box.add(promise)
        settling()
        return await promise.failure
    }

    static var rows: [Row] {
        [
            Row("returned from a fulfilment handler") {
                let (start, resolver) = Promise<Int>.pending()
                let error = await failure(
                    of: { own in start.then { _ in own() } }, settling: { resolver.fulfill(1) })
                #expect(error as? PromiseError == .cycle)
            },
            Row("returned from a rejection handler") {
                let (start, resolver) = Promise<Int>.pending()
                let error = await failure(
                    of: { own in start.recover { _ in own() } },
                    settling: { resolver.reject(Sample.first) })
                #expect(error as? PromiseError == .cycle)
            },
        ]
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
