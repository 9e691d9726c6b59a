import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

@testable import LarderClient

/// What happens to a call, as it is seen below the client.
enum HistoryEvent: Sendable {
    /// A request has come to the network.
    struct Request: Sendable {
        let call: Int
        let isFirstPage: Bool
        let since: String?
        let condition: String?
        /// The number of changes that the server had by then.
        let tick: Int
    }

    /// What comes to the client.
    struct Arrival: Sendable {
        enum Content: Sendable {
            /// What an answer says, by its number.
            case answer(Int)
            case unmodified
            case empty
            /// What is no JSON.
            case unreadable
            case status(Int)
            case failure(String)
        }

        let call: Int
        let content: Content
        var source = ResponseSource.network
        /// The seconds that a cache on the way has had it.
        var onTheWay = 0
        var age: Duration?
        /// When the server has made or confirmed it, by its own clock.
        var date: Date?
        /// The number of changes that the server had by then.
        var tick = 0

        /// Whether it was made, or confirmed, when it was asked for.
        var isCurrent: Bool {
            (source == .network || source == .revalidated) && onTheWay == 0
        }
    }

    case request(Request)
    case arrival(Arrival)
    /// What was sent of a call has ended.
    case end(of: Int)
}

extension HistoryEvent.Arrival {
    /// The number of an answer that has content, and the mark of what is cut off.
    static let serial = HTTPField.Name.named("Serial")
    static let mark = HTTPField.Name.named("Cut")

    init(of call: Int, _ response: TransportResponse) {
        self.call = call
        (source, age) = (response.source, response.age)
        onTheWay = response.head.headerFields[.age].flatMap { Int($0) } ?? 0
        let fields = response.head.headerFields
        date = fields[.date].flatMap(HTTPDate.date)
        let isCut = fields[Self.mark] != nil || fields[.contentType] == "text/html"
        switch response.head.status.code {
        case 304: content = .unmodified
        case 204: content = .empty
        case 200:
            let serial = fields[Self.serial].flatMap { Int($0) }
            content = isCut ? .unreadable : serial.map { .answer($0) } ?? .unreadable
        case let code: content = .status(code)
        }
    }

    init(of call: Int, _ error: any Error) {
        self.init(call: call, content: .failure(HistoryFailure.name(of: error)))
    }
}

/// Tells what comes out of a cache, too: what comes to the client where it has one.
struct HistoryWitness: Interceptor {
    let network: HistoryNetwork

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        let call = HistoryNetwork.call(of: request)
        let response = next(request)
        let (promise, resolver) = Promise<TransportResponse>.pending()
        resolver.onCancel { response.cancel() }
        _ = response.handle { [network] result in
            switch result {
            case .success(let response): network.note(.init(of: call, response))
            case .failure(let error): network.note(.init(of: call, error))
            }
            resolver.resolve(with: result)
        }
        return promise
    }
}

/// The names of errors, which are typed.
enum HistoryFailure {
    static func name(of error: any Error) -> String {
        switch error {
        case is CancellationError: return "cancelled"
        case let error as ClientError:
            let status = error.status.map { " \($0.code)" } ?? ""
            return "\(error.reason.description)\(status)"
        case let error as TransportError:
            return error.reason == .cancelled ? "cancelled" : "transport \(error.reason)"
        case let error as PagingError: return "paging: \(error)"
        case let error as CompletenessError: return "completeness: \(error)"
        default: return "UNTYPED \(error)"
        }
    }
}
