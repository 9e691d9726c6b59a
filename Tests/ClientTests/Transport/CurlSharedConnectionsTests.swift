#if !canImport(Darwin)
import CLarderCurl
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct CurlSharedConnectionsTests {
    private let connections = CurlConnections()
    private let mailbox = CurlMailbox()
    private let ends = CurlConnections.Ends(localPort: 1, host: "192.0.2.1", port: 443)

    /// A handle whose exchange has begun, of which libcurl knows nothing yet.
    private func handle() throws -> CurlHandle {
        let handle = try #require(CurlHandle(.init(), connections: connections))
        var request = TransportRequest.to(URL(filePath: "/"))
        request.head.scheme = "https"
        request.head.authority = "test.invalid"
        try handle.begin(CurlExchange(request, mailbox: mailbox) { _ in })
        return handle
    }

    @Test func `a request that is refused each connection that is opened for it ends`() throws {
        let (first, second) = (try handle(), try handle())
        #expect(first.mayBeSent(over: ends))
        var refusals = 0
        while refusals < 100, !second.mayBeSent(over: ends), second.needsAnotherConnection {
            refusals += 1
            second.beginAgain()
        }
        #expect(refusals == CurlSharing.mostOpenedInVain)
        let result = second.end(CURLE_ABORTED_BY_CALLBACK)?.result
        let error = #expect(throws: TransportError.self) { try result?.get() }
        #expect(error?.reason == .cannotConnect)
    }

    /// Content goes over connections that are never asked about HTTP/2, and libcurl uses them again.
    @Test func `only who has opened a connection tells that its host has no HTTP-2`() throws {
        let handle = try handle()
        #expect(handle.mayBeSent(over: ends))
        #expect(!connections.shared.isWithoutHTTP2("test.invalid"))
        handle.beginAgain()
        handle.sockets = [-1]
        #expect(handle.mayBeSent(over: ends))
        #expect(connections.shared.isWithoutHTTP2("test.invalid"))
    }
}
#endif
