import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import Testing

/// Requests to httpbin, a server of other people's: what it has seen of them, and what its answers become.
@Suite(
    .enabled(
        if: HTTPBin.isPossible,
        "SKIPPED: httpbin is not there; Scripts/httpbin installs it, with python3 and pip."))
struct HTTPBinTests {
    let bin: HTTPBin
    let client: Client

    init() async throws {
        bin = try await HTTPBin.shared
        client = try TestClient.client(at: bin.baseURL)
    }

    /// Methods, and the length that each says where there is no content.
    private static let lengths: [(HTTPRequest.Method, String?)] = [
        (.get, nil), (.delete, nil), (.post, "0"), (.put, "0"), (.patch, "0"),
    ]

    @Test(arguments: lengths)
    func `each method arrives as itself, and says that it has no content where it could`(
        _ method: HTTPRequest.Method, _ length: String?
    ) async throws {
        let seen = try await client.json(AdHocEndpoint(method, "anything"))
        #expect(seen.text("method") == method.rawValue)
        #expect(seen.text("headers.Content-Length") == length)
        #expect(seen.text("headers.Content-Type") == nil)
        #expect(seen.text("data") == "")
        #expect(seen.text("url") == "\(bin.baseURL)anything")
    }

    @Test func `what options there are is a response without content`() async throws {
        let response = try await client.enqueue(
            AdHocEndpoint(.options, "get"), as: Response<Void>.self
        ).value
        let methods = try #require(response.headerFields[.allow])
        #expect(methods.contains("GET") && methods.contains("HEAD"))
    }

    @Test func `header fields arrive, the client's and the endpoint's in their place`()
        async throws
    {
        let client = client.configured {
            $0.headerFields[.named("X-Client")] = "client"
            $0.headerFields[.named("X-Both")] = "client"
        }
        var fields: HTTPFields = [.named("X-Both"): "endpoint", .named("X-Empty"): ""]
        fields.append(HTTPField(name: .named("X-Twice"), value: "a"))
        fields.append(HTTPField(name: .named("X-Twice"), value: "b; c=\"d\""))
        let seen = try await client.json(.get("headers", headerFields: fields))
        #expect(seen.text("headers.X-Client") == "client")
        #expect(seen.text("headers.X-Both") == "endpoint")
        #expect(seen.text("headers.X-Twice") == "a,b; c=\"d\"")
        #expect(seen.text("headers.X-Empty") == "")
        #expect(seen.text("headers.User-Agent") == "Larder")
        #expect(seen.text("headers.Accept") == "application/json")
        #expect(seen.text("headers.Host") == "127.0.0.1:\(bin.baseURL.port ?? 0)")
        let name = try await client.json(
            .get("user-agent", headerFields: [.userAgent: "Tests/1"]))
        #expect(name.text("user-agent") == "Tests/1")
    }

    @Test func `parts of a path and of a query arrive as they were meant`() async throws {
        let part = "日本 & +?#%"
        let seen = try await client.json(
            .get(
                "anything/\(part)/x",
                query: [
                    "q": "ü & =+/?#%", "page": 2, "open": true, "none": nil as String?,
                    "ids": [1, 2],
                ]))
        #expect(seen.keys("args") == ["ids[]", "open", "page", "q"])
        #expect(seen.text("args.q") == "ü & =+/?#%")
        #expect(seen.text("args.page") == "2" && seen.text("args.open") == "true")
        #expect(seen.texts("args.ids[]") == ["1", "2"])
        let url = try #require(seen.text("url"))
        #expect(url.hasPrefix("\(bin.baseURL)anything/日本%20&%20+%3F%23%/x?q="))
        // A slash that is none of the path's stays in its segment, which this route has one of.
        let error = await client.error(of: .get("base64/\("TGFy/ZGVy")"))
        #expect(error?.status == .notFound)
        let text = try await client.enqueue(.get("base64/\("TGFyZGVy")"), as: String.self).value
        #expect(text == "Larder")
    }

    @Test func `HEAD has the fields of GET and nothing else`() async throws {
        for path: URLPath in ["get", "gzip", "image/png", "stream/3", "drip?duration=0"] {
            let response = try await client.enqueue(.head(path), as: Response<Data>.self).value
            #expect(response.status == .ok)
            #expect(response.value.isEmpty)
            #expect(response.headerFields.contains(.contentType))
        }
        let error = await client.error(of: .head("status/404"))
        #expect(error?.reason == .unacceptableStatus && error?.status == .notFound)
        #expect(error?.body == Data())
    }

    // MARK: - Statuses

    @Test(arguments: [400, 401, 402, 404, 405, 409, 410, 418, 422, 429, 500, 502, 503, 504, 999])
    func `a status that is none of success is an error that says what was asked`(
        _ code: Int
    ) async throws {
        for method in [HTTPRequest.Method.get, .post, .delete] {
            let endpoint = AdHocEndpoint(method, "status/\(code)")
            let error = try #require(await client.error(of: endpoint))
            #expect(error.reason == .unacceptableStatus)
            #expect(error.status?.code == code)
            #expect(error.method == method)
            #expect(error.url == "\(bin.baseURL)status/\(code)")
            #expect(error.headerFields?[.server]?.hasPrefix("Werkzeug") == true)
            #expect("\(error)".hasPrefix("\(method) \(bin.baseURL)status/\(code): the status"))
        }
    }

    @Test(arguments: [200, 201, 202, 203, 206, 299])
    func `one of success is none, with content or without`(_ code: Int) async throws {
        let endpoint = AdHocEndpoint(.post, "status/\(code)")
        let response = try await client.enqueue(endpoint, as: Response<Void>.self).value
        #expect(response.status.code == code)
        #expect(try await client.enqueue(endpoint, as: User?.self).value == nil)
        let error = try #require(await client.enqueue(endpoint, as: User.self).clientError())
        #expect(error.reason == .emptyBody && error.status?.code == code)
    }

    @Test func `204 has no content, whatever its fields are about`() async throws {
        let plain = try await client.enqueue(.delete("status/204"), as: Response<User?>.self).value
        #expect(plain.status == .noContent && plain.value == nil)
        let drip = try await client.enqueue(
            .get("drip?code=204&numbytes=5&duration=0"), as: Response<Data>.self
        ).value
        #expect(drip.status == .noContent && drip.value.isEmpty)
    }

    @Test func `statuses that an endpoint accepts are values`() async throws {
        let teapot = try await client.enqueue(
            .get("status/418", acceptedStatuses: [418]), as: Response<String>.self
        ).value
        #expect(teapot.status.code == 418 && teapot.value.contains("teapot"))
        let notModified = try await client.enqueue(
            .get("status/304", acceptedStatuses: [200, 304]), as: Response<User?>.self
        ).value
        #expect(notModified.status == .notModified && notModified.value == nil)
    }

    @Test func `the body of an error is one of the API's type`() async throws {
        struct Problem: Decodable {
            let message: String
            let accept: [String]
        }
        let client = client.configured { $0.errorBody = .json(Problem.self) }
        let error = try #require(await client.error(of: .get("status/406")))
        let problem = try #require(error.details as? Problem)
        #expect(problem.message == "Client did not request a supported media type.")
        #expect(problem.accept.contains("image/png"))
        let other = try #require(await client.error(of: .get("status/418")))
        #expect(other.details == nil)
        #expect(other.body.map { String(decoding: $0, as: UTF8.self) }?.contains("teapot") == true)
    }

    /// Methods, and how often each is sent where the server can't answer.
    private static let attempts: [(HTTPRequest.Method, Int)] = [(.get, 3), (.put, 3), (.post, 1)]

    @Test(arguments: attempts)
    func `what may pass is tried again, where that does no harm`(
        _ method: HTTPRequest.Method, _ attempts: Int
    ) async throws {
        let sent = Seen<String>()
        let client = client.configured {
            $0.interceptors = [
                RetryInterceptor(attempts: 3, backoff: .none, deadline: .seconds(3600)),
                ClosureInterceptor { request, next in
                    sent.note(request.head.path ?? "")
                    return next(request)
                },
            ]
        }
        let error = try #require(await client.error(of: AdHocEndpoint(method, "status/503")))
        #expect(error.status == .serviceUnavailable)
        #expect(sent.values == Array(repeating: "/status/503", count: attempts))
    }
}
