import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting

/// What a request asks for, and by whose credential.
struct SessionQuestion: Hashable {
    let owner: String
    var after: String?
    var since: String?
    var condition: String?

    /// Whether it has something that another person was told.
    var isForeign: Bool {
        [after, since, condition].contains {
            $0 != nil && $0 != owner && $0 != SessionServer.nobody
        }
    }
}

/// What is known of a pull.
struct SessionPull: Hashable {
    var token: String?
    /// Where the one under way goes on, and the token that it asks by.
    var place: String?
    var since: String?

    /// What the next one asks for, and what that leaves.
    func next(
        of owner: String, isAway: Bool, isCut: Bool
    ) -> (questions: [SessionQuestion], end: SessionPull, isDone: Bool) {
        let since = place == nil ? token : self.since
        let first = SessionQuestion(owner: owner, after: place, since: since)
        let last = SessionQuestion(owner: owner, after: owner, since: since)
        let done = SessionPull(token: owner)
        if isAway || place != nil && isCut { return ([first], self, false) }
        if place != nil { return ([first], done, true) }
        let left = SessionPull(token: token, place: owner, since: since)
        return ([first, last], isCut ? left : done, !isCut)
    }
}

/// A server whose content, tags, places and tokens are the names of those by whose credential it is
/// asked.
final class SessionServer: Sendable {
    struct Held: Sendable {
        let isHere = Gate()
        let isFree = Gate()
    }

    private struct State {
        var isAway = false
        var isCut = false
        var held: Held?
        var questions: [SessionQuestion] = []
    }

    /// The name that stands for whoever asks without a credential.
    static let nobody = "nobody"

    private let state = Guarded(State())

    var isAway: Bool {
        get { state.withLock(\.isAway) }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// Whether there is nothing behind the first page of a list.
    var isCut: Bool {
        get { state.withLock(\.isCut) }
        set { state.withLock { $0.isCut = newValue } }
    }

    /// Holds the next request.
    func hold() -> Held {
        let held = Held()
        state.withLock { $0.held = held }
        return held
    }

    /// What it was asked since this was called last.
    func takeQuestions() -> [SessionQuestion] {
        state.withLock { state -> [SessionQuestion] in
            defer { state.questions = [] }
            return state.questions
        }
    }

    func answer(_ request: TransportRequest) async throws -> TransportResponse {
        let url = URLComponents(string: request.head.path ?? "")
        let items = url?.queryItems ?? []
        let fields = request.head.headerFields
        let credential = fields[.authorization]?.split(separator: " ").last
        let owner = credential.map { String($0) } ?? Self.nobody
        let question = SessionQuestion(
            owner: owner, after: items.first { $0.name == "after" }?.value,
            since: items.first { $0.name == "since" }?.value,
            condition: fields[.ifNoneMatch].map { $0.filter { $0 != "\"" } })
        let (held, isLost) = state.withLock { state -> (Held?, Bool) in
            state.questions.append(question)
            return (state.held.take(), state.isAway || state.isCut && question.after != nil)
        }
        if let held {
            held.isHere.open()
            try await held.isFree.wait()
        }
        if isLost { throw TransportError(.cannotConnect, "It is away.") }
        let tag: HTTPFields = [.eTag: "\"\(owner)\""]
        if question.condition == owner {
            return TransportResponse(head: HTTPResponse(status: .notModified, headerFields: tag))
        }
        let ids = ["ann": 1, "bob": 2]
        let users = #"[{"id": \#(ids[owner] ?? 3), "login": "\#(owner)"}]"#
        guard url?.path.hasPrefix("/pages/") == true else {
            return .json(users, headerFields: tag)
        }
        let next = question.after == nil ? "\"\(owner)\"" : "null"
        return .json(#"{"next": \#(next), "token": "\#(owner)", "users": \#(users)}"#)
    }
}

struct SessionPage: Wrapper {
    var next: String?
    var token: String
    @Stored var users: Many<User>
}
