import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct StubTransportTests {
    let request = TransportRequest(
        head: HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/"))

    @Test func `it answers and records`() async throws {
        let transport = StubTransport(.json("[]", status: .created))
        let response = try await transport.response(to: request)
        #expect(response.head.status == .created)
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(transport.requests.map(\.head) == [request.head])
    }

    @Test func `it fails as it is told`() async {
        let transport = StubTransport { _ in throw TransportError(.timedOut, "Late.") }
        #expect(await transport.error(of: request) == TransportError(.timedOut, "Late."))
    }

    @Test func `errors of others end an exchange too`() async {
        struct Broken: Error, CustomStringConvertible {
            let description = "broken"
        }
        let broken = StubTransport { _ in throw Broken() }
        #expect(await broken.error(of: request) == TransportError(.other, "broken"))
        let cancelled = StubTransport { _ in throw CancellationError() }
        #expect(await cancelled.error(of: request)?.reason == .cancelled)
        let impatient = StubTransport { _ in
            try await Gate().wait(atMost: .zero)
            return .json("[]")
        }
        #expect(await impatient.error(of: request)?.reason == .other)
    }

    @Test func `it refuses what a real one refuses`() async {
        let transport = StubTransport(.json("[]"))
        var request = request
        request.head.scheme = "ftp"
        #expect(await transport.error(of: request)?.reason == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test func `it keeps the timeout`() async throws {
        let clock = ManualClock()
        let left = Gate()
        let transport = StubTransport(clock: clock) { _ in
            try? await Gate().wait()
            left.open()
            return .json("[]")
        }
        var request = request
        request.timeout = .seconds(5)
        async let error = transport.error(of: request)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        #expect(await error?.reason == .timedOut)
        // The handler's task is cancelled, and so is its wait.
        try await left.wait()
    }

    @Test(arguments: [Duration.seconds(Int64.max), .nanoseconds(Int64.max)])
    func `a timeout may be for ever`(_ timeout: Duration) async throws {
        let isAnswering = Gate()
        let transport = StubTransport { _ in
            try? await isAnswering.wait()
            return .json("[]")
        }
        var request = request
        request.timeout = timeout
        async let error = transport.error(of: request)
        isAnswering.open()
        #expect(await error == nil)
    }

    @Test func `it keeps the limits`() async throws {
        let transport = StubTransport(.json("[1]", headerFields: [.eTag: "1"]))
        var request = request
        for limits in [
            TransportLimits(maximumBodySize: 2), TransportLimits(maximumHeaderFieldCount: 1),
            TransportLimits(maximumHeaderSize: 10),
        ] {
            request.limits = limits
            #expect(await transport.error(of: request)?.reason == .limitExceeded)
        }
        request.limits = TransportLimits(maximumBodySize: 3, maximumHeaderFieldCount: 2)
        #expect(try await transport.response(to: request).body.count == 3)
    }

    @Test func `a cancelled exchange ends once, and is counted once`() async throws {
        let gate = Gate()
        let transport = StubTransport { _ in
            try? await gate.wait()
            return .json("[]")
        }
        let errors = Seen<TransportError.Reason?>()
        let task = transport.send(request) { result in
            if case .failure(let error) = result {
                errors.note(error.reason)
            } else {
                errors.note(nil)
            }
        }
        task.cancel()
        task.cancel()
        gate.open()
        _ = try await transport.response(to: request)
        #expect(errors.values == [.cancelled])
        #expect(transport.cancellationCount == 1)
    }
}
