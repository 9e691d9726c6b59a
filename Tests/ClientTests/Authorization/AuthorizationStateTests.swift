import Foundation
import LarderPromises
import Testing

@testable import LarderClient

/// The table of the state's comment, row by row.
@Suite struct AuthorizationStateTests {
    private typealias State = AuthorizationState
    private struct Failed: Error {}
    private static let now = Date(timeIntervalSince1970: 1000)

    private static func admit(_ state: inout State, canRefresh: Bool = true) -> State.Step {
        state.admit(at: now, canRefresh: canRefresh)
    }

    /// Whether the end of a refresh is without effect.
    private static func isIgnored(
        _ state: inout State, _ id: UUID, with result: Result<Credential, any Error>
    ) -> Bool {
        if case .none = state.end(id, with: result, at: now) { true } else { false }
    }

    /// A state in the middle of a refresh, and that refresh.
    private static func refreshing(
        _ credential: Credential? = .bearer("a")
    ) throws -> (State, State.Refresh, State.Pass?) {
        guard let credential else {
            var state = State.unasked
            let refresh = try #require(admit(&state).wait?.begun)
            return (state, refresh, nil)
        }
        var state = State(credential)
        let pass = try #require(admit(&state).pass)
        let refresh = try #require(state.refuse(pass, hasWaited: false).wait?.begun)
        return (state, refresh, pass)
    }

    @Test func `a request is sent with what there is, or without`() {
        var state = State(.bearer("a"))
        #expect(Self.admit(&state).pass?.credential == .bearer("a"))
        state = State(nil)
        #expect(Self.admit(&state).pass.map { $0.credential == nil } == true)
    }

    @Test func `the first request of somebody who is to be asked waits`() {
        var state = State.unasked
        #expect(Self.admit(&state).wait?.begun.map { $0.credential == nil } == true)
        #expect(Self.admit(&state).wait.map { $0.begun == nil } == true)
    }

    @Test(arguments: [(999.0, true), (1000, true), (1001, false)])
    func `what has expired is refreshed first, by somebody who can`(
        _ expires: Double, _ isOver: Bool
    ) {
        let credential = Credential.bearer("a", expires: Date(timeIntervalSince1970: expires))
        var state = State(credential)
        #expect(Self.admit(&state, canRefresh: false).pass != nil)
        #expect((Self.admit(&state).wait?.begun?.credential == credential) == isOver)
    }

    @Test func `what arrives expired is used, as the clocks differ`() throws {
        var (state, refresh, _) = try Self.refreshing()
        let new = Credential.bearer("b", expires: Self.now)
        _ = state.end(refresh.id, with: .success(new), at: Self.now)
        #expect(Self.admit(&state).pass?.credential == .bearer("b"))
        #expect(state.nextChange() == .some(new), "and kept as it came")
    }

    @Test func `there is one refresh at a time`() throws {
        var (state, refresh, pass) = try Self.refreshing()
        #expect(
            state.refuse(try #require(pass), hasWaited: false).wait.map { $0.begun == nil } == true)
        #expect(Self.admit(&state).wait.map { $0.begun == nil } == true)
        #expect(state.isRefreshing(oneOf: [UUID(), refresh.id]))
        #expect(!state.isRefreshing(oneOf: [UUID()]))
    }

    @Test func `a refusal is weighed by what has happened since`() throws {
        var (state, refresh, early) = try Self.refreshing()
        let pass = try #require(early)
        _ = state.end(refresh.id, with: .success(.bearer("b")), at: Self.now)
        #expect(state.refuse(pass, hasWaited: false).pass?.credential == .bearer("b"))
        #expect(state.refuse(pass, hasWaited: true).pass?.credential == .bearer("b"))
        _ = state.logIn(.bearer("c"))
        #expect((state.refuse(pass, hasWaited: false).error as? ClientError)?.reason == .loggedOut)
        _ = state.logIn(nil)
        #expect((state.refuse(pass, hasWaited: false).error as? ClientError)?.reason == .loggedOut)
    }

    @Test func `one that has waited begins no refresh, and waits for another's`() throws {
        var state = State(.bearer("a"))
        let pass = try #require(Self.admit(&state).pass)
        #expect(state.refuse(pass, hasWaited: true).isAccepted)
        _ = state.refuse(pass, hasWaited: false)
        #expect(state.refuse(pass, hasWaited: true).wait != nil)
    }

    @Test func `what was sent before a refresh failed begins none`() throws {
        var (state, refresh, early) = try Self.refreshing()
        _ = state.end(refresh.id, with: .failure(Failed()), at: Self.now)
        #expect(state.refuse(try #require(early), hasWaited: false).error is Failed)
        let late = try #require(Self.admit(&state).pass)
        #expect(state.refuse(late, hasWaited: false).wait?.begun != nil)
    }

    @Test func `where the first asking fails, the next request asks again`() throws {
        var (state, refresh, _) = try Self.refreshing(nil)
        _ = state.end(refresh.id, with: .failure(Failed()), at: Self.now)
        #expect(Self.admit(&state).wait?.begun != nil)
    }

    @Test func `those that wait are let go in their order, all but those that have left`() throws {
        var (state, refresh, _) = try Self.refreshing()
        let waits = (0..<5).compactMap { _ in Self.admit(&state).wait }
        state.forget(waits[1].id)
        let release = state.end(refresh.id, with: .success(.bearer("b")), at: Self.now)
        let resolvers = try #require(release?.resolvers)
        // The first is the one that was refused.
        #expect(
            resolvers.dropFirst().map(ObjectIdentifier.init)
                == [0, 2, 3, 4].map { ObjectIdentifier(waits[$0].resolver) })
        #expect(Self.isIgnored(&state, refresh.id, with: .success(.bearer("c"))) == true)
        #expect(state.credential == .bearer("b"))
    }

    @Test(arguments: [nil, Credential.bearer("z")])
    func `a session that ends takes its refresh along`(_ next: Credential?) throws {
        var (state, refresh, _) = try Self.refreshing()
        let (work, resolver) = Promise<Void>.pending()
        #expect(state.keep(work, of: refresh.id) == true)
        let release = state.logIn(next)
        #expect(release.resolvers.count == 1 && release.dropped != nil)
        guard case .failure(let error as ClientError) = release.result else {
            Issue.record("They went on.")
            return
        }
        #expect(error.reason == .loggedOut)
        #expect(state.keep(work, of: refresh.id) == false)
        #expect(Self.isIgnored(&state, refresh.id, with: .success(.bearer("late"))) == true)
        #expect(Self.isIgnored(&state, refresh.id, with: .failure(Failed())) == true)
        #expect(state.credential == next)
        resolver.fulfill()
    }

    @Test func `changes are told of by one teller, in their order`() {
        var state = State(nil)
        _ = state.logIn(nil)
        _ = state.logIn(.bearer("a"))
        let isFirst = state.beginTelling()
        _ = state.logIn(nil)
        let isSecond = state.beginTelling()
        #expect(isFirst && !isSecond, "the first goes on")
        let changes = (state.nextChange(), state.nextChange(), state.nextChange())
        #expect(changes.0 == .some(.bearer("a")))
        #expect(changes.1 == .some(.none))
        #expect(changes.2 == nil)
        let isNext = state.beginTelling()
        #expect(isNext, "once there was nothing more")
    }
}

extension AuthorizationState.Step {
    fileprivate var pass: AuthorizationState.Pass? {
        if case .send(let pass) = self { pass } else { nil }
    }
    fileprivate var wait: AuthorizationState.Wait? {
        if case .wait(let wait) = self { wait } else { nil }
    }
    fileprivate var error: (any Error)? { if case .fail(let error) = self { error } else { nil } }
    fileprivate var isAccepted: Bool { if case .accept = self { true } else { false } }
}
