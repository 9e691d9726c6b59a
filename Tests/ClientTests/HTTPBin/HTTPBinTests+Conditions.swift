import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import Testing

extension HTTPBinTests {
    /// Requests on a condition, and what responses say of how long they serve.
    @Suite struct Conditions {
        let client: Client

        init() async throws {
            client = try TestClient.client(at: try await HTTPBin.shared.baseURL)
        }

        /// Conditions, and whether they hold of `/etag/abc`.
        private static let conditions: [(Precondition, Bool)] = [
            (.tag("\"abc\""), true), (.exists, true), (.tag("\"other\""), false),
        ]

        @Test(arguments: conditions)
        func `a condition that holds changes nothing, and one that does not has its reason`(
            _ condition: Precondition, _ holds: Bool
        ) async throws {
            let client = client.ifMatch(condition)
            guard !holds else {
                let response = try await client.enqueue(
                    .get("etag/abc"), as: Response<JSONDocument>.self
                ).value
                #expect(response.headerFields[.eTag] == "abc")
                #expect(response.value.root.text("headers.If-Match") != nil)
                return
            }
            let error = try #require(await client.error(of: .get("etag/abc")))
            #expect(error.reason == .preconditionFailed && error.status == .preconditionFailed)
        }

        @Test func `what must not be there yet is refused where it is`() async throws {
            let client = client.ifMatch(.isNew)
            // To GET, 304 is what says so.
            let error = try #require(await client.error(of: .get("etag/abc")))
            #expect(error.reason == .unacceptableStatus && error.status == .notModified)
        }

        /// httpbin writes its tags without quotes, and so they are none that could be sent back.
        @Test func `a version that can't be told is not written over`() async throws {
            let sent = Seen<String>()
            let client = client.configured {
                $0.interceptors.append(
                    ClosureInterceptor { request, next in
                        sent.note(request.head.path ?? "")
                        return next(request)
                    })
            }
            let read = try await client.enqueue(.get("etag/abc"), as: Response<Data>.self).value
            let write = AdHocEndpoint.put(
                "put", body: .json(["a": 1]), ifMatch: .version(of: read))
            let error = try #require(await client.error(of: write))
            #expect(error.reason == .invalidRequest && error.status == nil)
            #expect(sent.values == ["/etag/abc"])
        }

        @Test func `what has not been modified has no content, where that is accepted`()
            async throws
        {
            let whole = try await client.enqueue(.get("cache"), as: Response<Data>.self).value
            let modified = try #require(whole.headerFields[.lastModified])
            #expect(whole.headerFields[.eTag]?.isEmpty == false && !whole.value.isEmpty)
            let conditions: [HTTPFields] = [
                [.ifModifiedSince: modified], [.ifNoneMatch: "\"x\""],
            ]
            for fields in conditions {
                let endpoint = AdHocEndpoint.get(
                    "cache", headerFields: fields, acceptedStatuses: [200, 304])
                let response = try await client.enqueue(endpoint, as: Response<User?>.self).value
                #expect(response.status == .notModified && response.value == nil)
                let error = try #require(
                    await client.error(of: .get("cache", headerFields: fields)))
                #expect(error.reason == .unacceptableStatus && error.status == .notModified)
            }
            let timed = try await client.enqueue(.get("cache/60"), as: Response<Void>.self).value
            #expect(timed.headerFields[.cacheControl] == "public, max-age=60")
        }
    }
}
