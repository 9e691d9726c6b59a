// What an enqueued endpoint fails by, and what is made of that.

import Foundation
import Larder
import Logging

@Entity struct Note {
    @Identity var id: Int
    var title: String
}

let store = try Store.inMemory(entities: Note.self)

func reasons(_ client: Client) {
    // snippet.reasons
    client.enqueue(.get("notes"), as: [Note].self)
        .then { notes in print(notes.count) }
        .catch(only: ClientError.self) { error in
            switch error.reason {
            case .transport: print("no answer")
            case .unacceptableStatus where error.status == .notFound: print("it is gone")
            case .notStored, .undecodable: print("not what was expected:", error)
            default: print(error)
            }
        }
    // snippet.end
}

func exchange(_ error: ClientError) -> String {
    // snippet.underlying
    switch error.underlying {
    case let failure as TransportError where failure.reason == .timedOut: "too slow"
    case let failure as TransportError: failure.message
    case let mismatch as MappingError: "\(mismatch.entity).\(mismatch.attribute ?? "")"
    case let mistake as JSONError: "\(mistake)"
    default: "\(error.reason)"
    }
    // snippet.end
}

// snippet.details
struct Problem: Decodable {
    var title: String
    var detail: String?
}

struct Decline: Decodable {
    var code: String
}

struct Payment: Endpoint {
    let path = "payments"
    let method = HTTPRequest.Method.post
    let errorBody = ErrorBody.json(Decline.self)
}

var configuration = Client.Configuration()
configuration.errorBody = .json(Problem.self)
let client = Client(
    baseURL: "https://api.example.com/", store: store, configuration: configuration)

func pay() {
    client.enqueue(Payment()).catch(only: ClientError.self) { error in
        switch error.details {
        case let decline as Decline: print("declined:", decline.code)
        case let problem as Problem: print(problem.title)
        default: print(error.body?.count ?? 0, "bytes of something else")
        }
    }
}
// snippet.end

func decode(_ error: ClientError) throws -> String {
    // snippet.decode
    let problem = try error.decodeBody(as: Problem.self)
    // snippet.end
    return problem.title
}

// snippet.validator
struct Failure: Error {
    var code: String
}

/// Refuses what says `{"success": false, "error": "…"}` with status 200.
let envelope = Validator { response, _ in
    guard !response.body.isEmpty else { return }
    let root = try JSONDocument(response.body).root
    if root["success"]?.bool == false { throw Failure(code: root["error"]?.string ?? "") }
}
// snippet.end

// snippet.recover
func notes() -> Promise<[Note]> {
    client.enqueue(.get("notes"), as: [Note].self)
        .recover(only: ClientError.self) { error -> [Note] in
            guard error.reason == .transport else { throw error }
            return try store.fetch(Note.all)
        }
}
// snippet.end

func cancelled() {
    // snippet.cancelled
    let loading = client.enqueue(.get("notes"), as: [Note].self)
    loading.catch { error in print("not called:", error) }
    loading.catch(only: CancellationError.self) { _ in print("given up") }
    loading.cancel()
    // snippet.end
}

// snippet.logger
func talkative() -> Client {
    var logger = Logger(label: "com.example.app")
    logger.logLevel = .debug
    return client.configured { $0.logger = logger }
}
// snippet.end

// snippet.redaction
func quiet() -> Client {
    client.configured { $0.redaction = Redaction(names: ["iban", "date of birth"]) }
}
// snippet.end
