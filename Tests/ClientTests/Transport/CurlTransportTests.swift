#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

/// What libcurl's transport does beyond what all do.
@Suite struct CurlTransportTests {
    let transport = CurlTransport()

    @Test func `nothing of one exchange is left over in the next`() async throws {
        let server = try await LoopbackServer()
        let transport = CurlTransport(configuration: .init(maximumExchanges: 1))
        let body = Data("{}".utf8)
        for request in [
            TransportRequest.to(
                server.baseURL, method: .post, headerFields: [.contentType: "a/b"], body: body),
            TransportRequest.to(server.baseURL, method: .get),
            TransportRequest.to(server.baseURL, method: .head),
            TransportRequest.to(server.baseURL, method: .put, body: body),
            TransportRequest.to(server.baseURL, method: .delete),
        ] {
            _ = try await transport.response(to: request)
        }
        let requests = server.requests
        #expect(requests.map(\.method) == [.post, .get, .head, .put, .delete])
        #expect(requests.map(\.body.count) == [2, 0, 0, 2, 0])
        #expect(requests.map { $0.headerFields[.contentType] } == ["a/b", nil, nil, nil, nil])
        await server.stop()
    }

    @Test func `who names a coding gets the content undecoded`() async throws {
        let gzip = Gzip.stored("[]")
        let server = try await LoopbackServer { _ in
            .init(headerFields: [.contentEncoding: "gzip"], body: Data(gzip))
        }
        let response = try await transport.response(
            to: TransportRequest.to(server.baseURL, headerFields: [.acceptEncoding: "gzip, br"]))
        #expect(response.body == Data(gzip))
        await server.stop()
    }

    @Test func `the codings that can be decoded are asked for, and content goes out with GET`()
        async throws
    {
        let server = try await LoopbackServer { .init(body: $0.body) }
        let body = Data("abc".utf8)
        let response = try await transport.response(
            to: TransportRequest.to(server.baseURL, body: body))
        #expect(response.body == body)
        #expect(server.requests.first?.headerFields[.acceptEncoding] == ContentCoding.offered)
        await server.stop()
    }
}
#endif
