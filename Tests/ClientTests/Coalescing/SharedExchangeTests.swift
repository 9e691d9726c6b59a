import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// What those hear who join an exchange amid what happens to it.
@Suite struct SharedExchangeTests {
    private static let request = TransportRequest(
        head: HTTPRequest(method: .get, scheme: "http", authority: "a.invalid", path: "/a"))

    /// An exchange that a first request has begun, which has been led elsewhere and waits there.
    private static func waiting() -> SharedExchange {
        let shared = SharedExchange(
            timeout: .seconds(60), stopwatch: Stopwatch(ContinuousClock()))
        _ = shared.join(.init(request: request, onStep: { _ in }, completion: { _ in }))
        shared.tell(.redirected(SentRequest(request)))
        shared.tell(.waits)
        return shared
    }

    private static func member(
        of heard: Seen<String>, _ onStep: @escaping @Sendable (ExchangeStep) -> Void = { _ in }
    ) -> SharedExchange.Member {
        var request = request
        request.isTimed = true
        return .init(
            request: request,
            onStep: { step in
                heard.note("\(step)".prefix { $0 != "(" }.description)
                onStep(step)
            },
            completion: { _ in heard.note("ended") })
    }

    @Test func `who joins hears of the way so far, and then of what comes`() throws {
        let (shared, heard) = (Self.waiting(), Seen<String>())
        let id = try #require(shared.join(Self.member(of: heard)))
        shared.catchUp(id)
        #expect(heard.values == ["redirected", "waits"])
        shared.tell(.goesOn)
        shared.end(with: .success(.json("[]")))
        #expect(heard.values == ["redirected", "waits", "goesOn", "ended"])
    }

    @Test func `what comes before it has caught up comes behind that`() throws {
        let (shared, heard) = (Self.waiting(), Seen<String>())
        let id = try #require(shared.join(Self.member(of: heard)))
        shared.tell(.goesOn)
        #expect(heard.count == 0)
        shared.catchUp(id)
        #expect(heard.values == ["redirected", "waits", "goesOn"])
    }

    @Test func `what comes while it catches up comes behind that, its end last`() throws {
        let (shared, heard) = (Self.waiting(), Seen<String>())
        let member = Self.member(of: heard) { step in
            guard case .redirected = step else { return }
            shared.tell(.goesOn)
            shared.end(with: .success(.json("[]")))
        }
        let id = try #require(shared.join(member))
        shared.catchUp(id)
        #expect(heard.values == ["redirected", "waits", "goesOn", "ended"])
        shared.catchUp(id)
        #expect(heard.count == 4 && shared.isOver)
    }

    @Test func `who leaves while it catches up hears of nothing more, and has one end`() throws {
        let (shared, heard) = (Self.waiting(), Seen<String>())
        let id = try #require(shared.join(Self.member(of: heard)))
        shared.leave(id, with: .cancelled)
        shared.catchUp(id)
        shared.end(with: .success(.json("[]")))
        #expect(heard.values == ["ended"])
    }
}
