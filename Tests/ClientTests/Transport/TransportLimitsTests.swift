#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct TransportLimitsTests {
    @Test func `more fields than can be held are refused, though there be no limit`() async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\n" + String(repeating: "a:\n", count: 70_000) + "\r\n")
        defer { server.stop() }
        let limits = TransportLimits(maximumHeaderFieldCount: .max)
        let error = await CurlTransport().error(
            of: TransportRequest.to(server.baseURL, limits: limits))
        #expect(error?.reason == .limitExceeded)
    }

    @Test func `a well packed body passes up to the ratio allowed`() async throws {
        let bomb = Gzip.zeros(8200)
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let server = try RawServer(sending: Array(head.utf8) + bomb)
        defer { server.stop() }
        let response = try await CurlTransport().response(to: TransportRequest.to(server.baseURL))
        #expect(response.body == Data(repeating: 0, count: 1 + 8200 * 258))
        let limits = TransportLimits(maximumCompressionRatio: 100)
        let error = await CurlTransport().error(
            of: TransportRequest.to(server.baseURL, limits: limits))
        #expect(error?.reason == .limitExceeded)
    }
}
#endif
