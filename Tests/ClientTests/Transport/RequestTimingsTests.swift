#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// The times of exchanges, as libcurl knows them.
@Suite(.platformTransport) struct RequestTimingsTests {
    private static func areWithin(_ timings: RequestTimings) throws -> Bool {
        let phases = [
            timings.nameLookup, timings.connect, timings.secureConnect, timings.firstByte,
        ].compactMap(\.self)
        let transfer = try #require(timings.transfer)
        return phases.allSatisfy { $0 > .zero } && phases.reduce(.zero, +) <= transfer
    }

    @Test func `a connection is made once, and each phase is a part of the whole`() async throws {
        let server = try await LoopbackServer { _ in .json("[]") }
        let requests = ["/0", "/1"].map { path in
            var request = TransportRequest.to(server.baseURL, path)
            request.isTimed = true
            return request
        }
        let responses = try await PlatformTransport().responses(to: requests)
        let timings = try responses.map { try #require($0.timings) }
        #expect(timings.map(\.isConnectionReused) == [false, true])
        #expect(timings[0].connect != nil && timings[0].firstByte != nil)
        #expect(timings[1].connect == nil && timings[1].nameLookup == nil)
        #expect(timings[1].firstByte != nil)
        for timings in timings {
            #expect(timings.secureConnect == nil && timings.queue == nil && timings.store == nil)
            #expect(try Self.areWithin(timings))
        }
        await server.stop()
    }

    @Test func `nothing is taken where nobody wants it`() async throws {
        let server = try await LoopbackServer { _ in .json("[]") }
        let response = try await PlatformTransport().response(to: .to(server.baseURL))
        #expect(response.timings == nil)
        let seen = Seen<Bool>()
        let client = try TestClient.client(at: server.baseURL) {
            $0.validators = [Validator { response, _ in seen.note(response.timings != nil) }]
        }
        _ = try await client.enqueue(Resource("a"), as: Data.self).value
        client.observeRequests(for: seen) { _, _ in }
        _ = try await client.enqueue(Resource("a"), as: Data.self).value
        #expect(seen.values == [false, true])
        await server.stop()
    }

    @Test func `events have the times of the last exchange, and of the store`() async throws {
        let server = try await LoopbackServer()
        server.route(.get, "/a", .init(status: .found, headerFields: [.location: "/b"]))
        server.route(.get, "/b", .json(#"[{"id": 1, "login": "ann"}]"#))
        let client = try TestClient.client(at: server.baseURL)
        let events = Seen<RequestEvent>()
        client.observeRequests(for: events) { $0.note($1) }
        _ = try await client.enqueue(Resource("a"), as: Many<User>.self).value
        let words = [
            "began", "built", "sent", "redirected", "received", "validated", "parsed", "stored",
            "fulfilled",
        ]
        #expect(events.values.map(\.word) == words)
        for event in events.values.prefix(4) { #expect(event.timings == RequestTimings()) }
        for event in events.values.dropFirst(4) {
            #expect(event.timings.firstByte != nil && event.timings.isConnectionReused != nil)
            #expect(try Self.areWithin(event.timings))
        }
        let end = try #require(events.values.last)
        let (transfer, store) = (end.timings.transfer, end.timings.store)
        #expect(try #require(transfer) + #require(store) <= end.elapsed)
        await server.stop()
    }

    @Test func `a transport of one's own may tell its times`() async throws {
        var timings = RequestTimings()
        timings.nameLookup = .milliseconds(3)
        timings.store = .seconds(7)
        var response = TransportResponse.json("[]")
        response.timings = timings
        let client = try TestClient.client(over: StubTransport(response))
        let events = Seen<RequestEvent>()
        client.observeRequests(for: events) { $0.note($1) }
        _ = try await client.enqueue(Resource("a"), as: Data.self).value
        let last = try #require(events.values.last?.timings)
        // What is not the transport's is nothing that it could know.
        #expect(last.nameLookup == .milliseconds(3) && last.store == nil)
    }
}
#endif
