/// What can be seen of a program that has run, in the promises or in the world of the oracle.
struct OracleFindings: Hashable, Sendable, CustomStringConvertible {
    enum Outcome: Hashable, Sendable {
        case value(Int)
        case error(String)

        static let cancelled = Outcome.error("cancelled")
        static let abandoned = Outcome.error("abandoned")

        var error: String? {
            if case .error(let error) = self { error } else { nil }
        }
    }

    /// A call of a handler.
    struct Call: Hashable, Sendable {
        let id: Int
        /// Which attempt it is, for `retry`.
        var attempt = 0
        /// What the handler was called with; `nil` for handlers that take nothing.
        var input: Outcome?
    }

    /// The outcomes of those that have settled, by promise.
    var outcomes: [Int: Outcome] = [:]
    /// How often each call was made.
    var calls: [Call: Int] = [:]
    /// The sources whose work was stopped.
    var stopped: [Int: Int] = [:]
    /// Whether something is left when nobody holds the promises any more.
    var leaks = false

    var description: String {
        let outcomes = outcomes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let calls = calls.sorted { $0.key.id < $1.key.id }.map { call, times in
            "\(call.id)#\(call.attempt)(\(call.input.map { "\($0)" } ?? "")) × \(times)"
        }
        return
            "outcomes \(outcomes), calls \(calls), stopped \(stopped.keys.sorted())\(leaks ? ", leaks" : "")"
    }
}
