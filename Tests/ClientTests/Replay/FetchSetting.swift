import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting

@testable import LarderClient

/// A client whose server has content by path, and can be away; with a time of its own.
struct FetchSetting {
    /// A server of JSON with entity tags.
    final class Server: Sendable {
        private struct State {
            var contents: [String: String] = [:]
            var fields: HTTPFields = [:]
            var failure: TransportError?
            var status: HTTPResponse.Status?
            var refusal = TransportResponse.json("{}")
            var answers: [Int] = []
        }

        private let state = Guarded(State())

        /// The content at a path.
        subscript(path: String) -> String? {
            get { state.withLock { $0.contents[path] } }
            set { state.withLock { $0.contents[path] = newValue } }
        }

        /// The statuses of its answers.
        var answers: [Int] { state.withLock(\.answers) }

        /// Makes every exchange fail, or none.
        func fail(_ error: TransportError? = TransportError(.cannotConnect, "It is away.")) {
            state.withLock { $0.failure = error }
        }

        /// Answers everything with a status, and content of an API unless told otherwise.
        func refuse(
            _ status: HTTPResponse.Status?, by refusal: TransportResponse = .json("{}")
        ) {
            state.withLock { ($0.status, $0.refusal) = (status, refusal) }
        }

        /// Sends fields along with everything.
        func send(_ fields: HTTPFields) { state.withLock { $0.fields = fields } }

        func answer(_ request: TransportRequest) throws -> TransportResponse {
            try state.withLock { state in
                if let failure = state.failure { throw failure }
                var (response, status) = (TransportResponse(head: HTTPResponse(status: .ok)), 404)
                let content = state.contents[request.head.path ?? ""]
                if let own = state.status {
                    response = own == .noContent ? response : state.refusal
                    response.head.status = own
                    status = own.code
                } else if let content {
                    let tag = "\"\(content.count)-\(content.hashValue)\""
                    let isKnown = request.head.headerFields[.ifNoneMatch] == tag
                    status = isKnown ? 304 : 200
                    response =
                        isKnown
                        ? TransportResponse(head: HTTPResponse(status: .notModified))
                        : .json(content)
                    response.head.headerFields[.eTag] = tag
                    for field in state.fields { response.head.headerFields.append(field) }
                } else {
                    response = .json("{}", status: .notFound)
                }
                state.answers.append(status)
                return response
            }
        }
    }

    let server = Server()
    let clock = WallClock()
    let timer = ManualClock()
    let client: Client

    init(
        in store: Store? = nil, _ policy: FetchPolicy = .networkFirst(),
        over transport: (any Transport)? = nil,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) throws {
        let transport = transport ?? StubTransport { [server] in try server.answer($0) }
        var configuration = Client.Configuration(transport: transport, timeout: .seconds(600))
        configuration.fetchPolicy = policy
        configuration.now = { [clock] in clock.now }
        configuration.importClock = timer
        change(&configuration)
        client = Client(
            baseURL: "http://test.invalid/", store: try store ?? TestClient.store(),
            configuration: configuration)
    }

    var store: Store { client.store }
}
