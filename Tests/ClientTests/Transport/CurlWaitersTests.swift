#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct CurlWaitersTests {
    private let connections = CurlConnections()
    private let mailbox = CurlMailbox()

    private func handle(timeout: Duration) throws -> CurlHandle {
        let handle = try #require(CurlHandle(.init(), connections: connections))
        var request = TransportRequest.to(URL(filePath: "/"), timeout: timeout)
        request.head.scheme = "https"
        request.head.authority = "test.invalid"
        try handle.begin(CurlExchange(request, mailbox: mailbox) { _ in })
        return handle
    }

    @Test func `each one that has waited too long is taken out once, whenever that is`() throws {
        for _ in 0..<50 {
            var waiters = CurlWaiters()
            let handles = try (0..<32).map { _ in try handle(timeout: .milliseconds(3)) }
            for handle in handles { waiters.append(handle) }
            var overdue: [ObjectIdentifier] = []
            while handles.contains(where: { $0.sharing.millisecondsWaited <= 3 }) {
                overdue += waiters.overdue().map(ObjectIdentifier.init)
            }
            overdue += waiters.overdue().map(ObjectIdentifier.init)
            #expect(Set(overdue).count == handles.count)
            #expect(overdue.count == handles.count)
        }
    }

    @Test func `however often an exchange is begun anew, its time passes once`() throws {
        let begin = ContinuousClock.now
        let handle = try handle(timeout: .seconds(60))
        for _ in 0..<100 { handle.beginAgain() }
        #expect(handle.elapsed <= (ContinuousClock.now - begin).wholeMilliseconds)
    }

    @Test func `a time that is longer than is counted is no bound`() {
        #expect(CurlHandle.milliseconds(leftOf: .seconds(60), after: 59_000) == 1000)
        #expect(CurlHandle.milliseconds(leftOf: .seconds(60), after: 70_000) == 1)
        #expect(CurlHandle.milliseconds(leftOf: .seconds(30 * 86_400), after: 70_000) == 0)
    }
}
#endif
