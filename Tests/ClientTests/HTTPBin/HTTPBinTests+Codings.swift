#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import Testing

@testable import LarderClient

extension HTTPBinTests {
    /// Content codings and heads as libcurl's transport takes them; URLSession has rules of its own.
    @Suite struct Codings {
        let client: Client

        init() async throws {
            client = try TestClient.client(at: try await HTTPBin.shared.baseURL)
        }

        @Test func `gzip is asked for and decoded`() async throws {
            let response = try await client.enqueue(
                .get("gzip"), as: Response<JSONDocument>.self
            ).value
            let seen = response.value.root
            #expect(seen.value(at: "gzipped")?.bool == true)
            #expect(seen.text("headers.Accept-Encoding") == ContentCoding.offered)
            #expect(response.headerFields[.contentEncoding] == "gzip")
            #expect(response.headerFields[.contentLength] != "\(seen.source.count)")
        }

        @Test(.enabled(if: BrotliDecoder.isAvailable, "There is no library that decodes brotli."))
        func `brotli is decoded`() async throws {
            let response = try await client.enqueue(
                .get("brotli"), as: Response<JSONDocument>.self
            ).value
            #expect(response.value.root.value(at: "brotli")?.bool == true)
            #expect(response.headerFields[.contentEncoding] == "br")
        }

        @Test func `a coding that was not asked for is an error that names those that were`()
            async throws
        {
            for error in [
                await client.enqueue(Resource("deflate"), as: Data.self).clientError(),
                await client.enqueue(Resource("deflate"), as: User.self).clientError(),
            ] {
                let error = try #require(error)
                #expect(error.reason == .transport)
                let cause = try #require(error.underlying as? TransportError)
                #expect(cause.reason == .unsupportedContentEncoding)
                #expect("\(error)".contains("other than \(ContentCoding.offered)."))
            }
        }

        @Test(arguments: [("gzip", "gzip"), ("deflate", "deflate"), ("brotli", "br")])
        func `who asks for a coding gets the content as it is`(
            _ path: String, _ coding: String
        ) async throws {
            let endpoint = AdHocEndpoint.get(
                URLPath(path), headerFields: [.acceptEncoding: coding])
            let response = try await client.enqueue(endpoint, as: Response<Data>.self).value
            #expect(response.headerFields[.contentEncoding] == coding)
            #expect(response.headerFields[.contentLength] == "\(response.value.count)")
            let error = try #require(
                await client.enqueue(endpoint, as: JSONDocument.self).clientError())
            #expect(error.reason == .malformedJSON && error.status == .ok)
            #expect(error.headerFields?[.contentEncoding] == coding)
        }

        @Test(arguments: [
            "response-headers?Content-Encoding=gzip", "response-headers?Content-Length=7",
            "response-headers?Transfer-Encoding=gzip", "response-headers?x%20y=1", "status/1000",
            "status/101",
        ])
        func `what breaks the rules of HTTP is no response`(_ path: String) async throws {
            let error = try #require(await client.error(of: Resource(path)))
            #expect(error.reason == .transport && error.status == nil)
            #expect((error.underlying as? TransportError)?.reason == .malformedResponse)
            // Nor does it spoil the next one.
            #expect(try await client.json(.get("get")).text("url") != nil)
        }

        @Test func `an interim response that nothing follows is a lost connection`() async throws {
            let error = try #require(await client.error(of: .get("status/100")))
            #expect((error.underlying as? TransportError)?.reason == .connectionLost)
        }
    }
}
#endif
