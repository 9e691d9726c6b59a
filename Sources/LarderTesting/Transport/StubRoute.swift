public import Foundation
public import HTTPTypes
public import LarderClient
import LarderPromises

/// A rule for a ``StubTransport``: which requests it is for, and what they are answered with.
///
/// ```swift
/// let transport = StubTransport(
///     routes: [
///         .get("users", query: ["page": "2"], .json("[]")),
///         .get("users/*", .json(#"{"id": 1}"#)),
///         .post("users", .status(503), .json(#"{"id": 2}"#, status: .created)),
///         .get("slow", .json("[]").after(.seconds(3))),
///         .delete("**", .failure(.connectionLost)),
///     ], clock: clock)
/// ```
///
/// The first rule that a request fits answers it. Several answers are given one after the other, to requests
/// in the order in which they are sent, the last one from then on. What no rule is for fails with
/// ``TransportError/Reason/other``, in words that name the request, without its secrets, and the rules.
public struct StubRoute: Sendable {
    /// What a request is answered with.
    public struct Answer: Sendable {
        fileprivate let make: @Sendable () throws -> TransportResponse
        fileprivate var delay: Duration?

        fileprivate init(_ make: @escaping @Sendable () throws -> TransportResponse) {
            self.make = make
        }

        /// A response.
        public static func response(_ response: TransportResponse) -> Answer { Answer { response } }

        /// JSON text.
        public static func json(
            _ text: String, status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:]
        ) -> Answer {
            .response(.json(text, status: status, headerFields: headerFields))
        }

        /// A status without content.
        public static func status(_ code: Int, headerFields: HTTPFields = [:]) -> Answer {
            .response(
                TransportResponse(
                    head: HTTPResponse(
                        status: HTTPResponse.Status(code: code), headerFields: headerFields)))
        }

        /// The content of a file, read when a request asks for it; an exchange fails where it can't be.
        public static func file(
            _ file: URL, contentType: String = "application/json"
        ) -> Answer {
            Answer {
                TransportResponse(
                    head: HTTPResponse(status: .ok, headerFields: [.contentType: contentType]),
                    body: try Data(contentsOf: file))
            }
        }

        /// A failure of the exchange.
        public static func failure(
            _ reason: TransportError.Reason, _ message: String = "The stub says so."
        ) -> Answer {
            Answer { throw TransportError(reason, message) }
        }

        /// The same after some time, by the transport's clock.
        public func after(_ delay: Duration) -> Answer {
            var answer = self
            answer.delay = delay
            return answer
        }
    }

    private let method: HTTPRequest.Method
    private let path: String
    private let steps: [Substring]
    private let query: [String: String]
    private let condition: @Sendable (TransportRequest) -> Bool
    fileprivate let answers: [Answer]

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The end of their path, in whole segments, percent-encoded: `*` is any segment, `**` at its
    ///     end any number of them. Every path ends in none, so that an empty one is for all.
    ///   - query: Items that their query must have; it may have others.
    ///   - condition: What else must hold, such as of the content.
    ///   - answers: The answers, in turn; none is a failure.
    public init(
        _ method: HTTPRequest.Method, _ path: String, query: [String: String] = [:],
        where condition: @escaping @Sendable (TransportRequest) -> Bool = { _ in true },
        answers: [Answer]
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.condition = condition
        self.answers = answers
        steps = path.split(separator: "/")
    }

    /// A rule for GET.
    public static func get(
        _ path: String, query: [String: String] = [:],
        where condition: @escaping @Sendable (TransportRequest) -> Bool = { _ in true },
        _ answers: Answer...
    ) -> StubRoute {
        StubRoute(.get, path, query: query, where: condition, answers: answers)
    }

    /// A rule for POST.
    public static func post(
        _ path: String, query: [String: String] = [:],
        where condition: @escaping @Sendable (TransportRequest) -> Bool = { _ in true },
        _ answers: Answer...
    ) -> StubRoute {
        StubRoute(.post, path, query: query, where: condition, answers: answers)
    }

    /// A rule for PUT.
    public static func put(
        _ path: String, query: [String: String] = [:],
        where condition: @escaping @Sendable (TransportRequest) -> Bool = { _ in true },
        _ answers: Answer...
    ) -> StubRoute {
        StubRoute(.put, path, query: query, where: condition, answers: answers)
    }

    /// A rule for PATCH.
    public static func patch(
        _ path: String, query: [String: String] = [:],
        where condition: @escaping @Sendable (TransportRequest) -> Bool = { _ in true },
        _ answers: Answer...
    ) -> StubRoute {
        StubRoute(.patch, path, query: query, where: condition, answers: answers)
    }

    /// A rule for DELETE.
    public static func delete(
        _ path: String, query: [String: String] = [:],
        where condition: @escaping @Sendable (TransportRequest) -> Bool = { _ in true },
        _ answers: Answer...
    ) -> StubRoute {
        StubRoute(.delete, path, query: query, where: condition, answers: answers)
    }

    /// Whether the rule is for a request.
    fileprivate func matches(_ request: TransportRequest) -> Bool {
        matchesHead(of: request) && condition(request)
    }

    /// Whether the rule is for a request, apart from its condition.
    fileprivate func matchesHead(of request: TransportRequest) -> Bool {
        guard request.head.method == method, let reference = request.head.path else { return false }
        let parts = reference.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard matches(parts[0].split(separator: "/")) else { return false }
        guard query.isEmpty || parts.count == 2 else { return false }
        let url = URL(reference: reference)
        let items =
            url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems ?? []
        return query.allSatisfy { name, value in
            items.contains { $0.name == name && $0.value == value }
        }
    }

    private func matches(_ segments: [Substring]) -> Bool {
        var steps = steps[...]
        if steps.last == "**" {
            // Whatever stands in front of it may begin at any segment.
            steps.removeLast()
            return segments.indices.contains { start in
                Self.fits(segments[start...].prefix(steps.count), steps)
            } || steps.isEmpty
        }
        return Self.fits(segments.suffix(steps.count), steps)
    }

    private static func fits(
        _ segments: some Collection<Substring>, _ steps: ArraySlice<Substring>
    ) -> Bool {
        segments.count == steps.count
            && zip(segments, steps).allSatisfy { $0 == $1 || $1 == "*" }
    }
}

extension StubRoute: CustomStringConvertible {
    /// The method, the path and the query.
    public var description: String {
        let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return "\(method) \(path)" + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }
}

extension StubTransport {
    /// Creates a transport that answers by rules.
    ///
    /// - Parameters:
    ///   - routes: The rules; the first that a request fits answers it.
    ///   - clock: The clock of timeouts and delays.
    public convenience init(
        routes: [StubRoute], clock: any Clock<Duration> = ContinuousClock()
    ) {
        let counts = Guarded([Int](repeating: 0, count: routes.count))
        self.init(
            clock: clock,
            choosing: { request in
                let answer = StubTransport.answer(to: request, from: routes, counts)
                return {
                    if let delay = answer.delay { try await clock.sleep(for: delay.sleepable) }
                    return try answer.make()
                }
            })
    }

    /// The answer to a request, whose turn it is.
    private static func answer(
        to request: TransportRequest, from routes: [StubRoute], _ counts: borrowing Guarded<[Int]>
    ) -> StubRoute.Answer {
        guard let index = routes.firstIndex(where: { $0.matches(request) }) else {
            // A rule of the right place can only have been refused by its condition.
            let known = routes.map { route in
                let isRefused = route.matchesHead(of: request)
                return "\(route)" + (isRefused ? " (its condition does not hold)" : "")
            }
            .joined(separator: ", ")
            let path = Redaction().adding(request.secretNames).url(request.head.path ?? "")
            return .failure(
                .other, "No route is for \(request.head.method) \(path); there are: \(known)")
        }
        let answers = routes[index].answers
        guard !answers.isEmpty else {
            return .failure(.other, "The route \(routes[index]) has no answer.")
        }
        let number = counts.withLock { counts in
            defer { counts[index] += 1 }
            return counts[index]
        }
        return answers[min(number, answers.count - 1)]
    }
}
