import FlyingFox
import Foundation

/// A JSON API of the kind people meet, on a free port of this machine, which stands for `world.example`.
///
///     POST /login          {"name", "password"} → {"token", "user"}
///     GET  /countries      all of them, each with its continent
///     GET  /cities?page=1  500 a page; Link names the next one
///     GET  /slow           does not answer
struct WorldServer {
    /// The address and the port that it listens on.
    let address: String

    /// One element for each request to `/slow` that has arrived.
    let slowRequests: AsyncStream<Void>

    private let server: HTTPServer
    private let running: Task<Void, any Error>

    init() async throws {
        let pages = try WorldPages(WorldData())
        let (slowRequests, arrivals) = AsyncStream.makeStream(of: Void.self)
        self.slowRequests = slowRequests

        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await server.appendRoute("POST /login", handler: Session.logIn)
        await server.appendRoute("GET /countries") { request in
            Session.isOpen(request) ? .json(pages.countries, for: request) : .unauthorized
        }
        await server.appendRoute("GET /cities") { request in
            Session.isOpen(request) ? .cities(pages.cities, for: request) : .unauthorized
        }
        await server.appendRoute("GET /slow") { _ in
            arrivals.yield()
            let (silence, end) = AsyncStream.makeStream(of: Never.self)
            for await _ in silence {}
            end.finish()
            return HTTPResponse(statusCode: .serviceUnavailable)
        }

        self.server = server
        running = Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else {
            throw URLError(.cannotConnectToHost)
        }
        address = "127.0.0.1:\(port)"
    }

    func stop() async {
        await server.stop()
        _ = await running.result
    }
}

extension HTTPResponse {
    fileprivate static var unauthorized: HTTPResponse {
        HTTPResponse(statusCode: .unauthorized, body: Data(#"{"message": "Log in first."}"#.utf8))
    }

    /// A JSON body with its ETag, or 304 where the client has it already.
    fileprivate static func json(
        _ body: Data, next: Int? = nil, for request: HTTPRequest
    ) -> HTTPResponse {
        let tag = "\"\(body.checksum)\""
        // On a connection kept alive, FlyingFox's last packet waits 40 ms for an acknowledgement.
        var headers: HTTPHeaders = [
            .eTag: tag, .contentType: "application/json", .connection: "close",
        ]
        if let next { headers[HTTPHeader("Link")] = "</cities?page=\(next)>; rel=\"next\"" }
        guard request.headers[.ifNoneMatch] != tag else {
            return HTTPResponse(statusCode: .notModified, headers: headers)
        }
        return HTTPResponse(statusCode: .ok, headers: headers, body: body)
    }

    fileprivate static func cities(_ pages: [Data], for request: HTTPRequest) -> HTTPResponse {
        guard let page = Int(request.query["page"] ?? "1"), pages.indices.contains(page - 1) else {
            return HTTPResponse(
                statusCode: .notFound, body: Data(#"{"message": "There is no such page."}"#.utf8))
        }
        return .json(pages[page - 1], next: page < pages.count ? page + 1 : nil, for: request)
    }
}

extension Data {
    /// FNV-1a, the same in every run.
    fileprivate var checksum: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in self { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
