import Foundation
import HTTPTypes

/// Requests to one resource, one after the other, what the server says to each, and what is to come of it.
struct CacheScenario: Sendable {
    /// Where a response is to come from.
    enum Expectation: Sendable {
        case anywhere, cache, server, confirmedByTag, confirmedByTime
    }

    /// A value of a field: text, or seconds from now as a date.
    enum Value: Sendable {
        case text(String)
        case date(Int)
    }

    /// A field of a response, and whether the client is to see it as it was sent.
    struct Field: Sendable {
        var name: String
        var value: Value
        var isChecked = true
    }

    /// What a field of a response is to be.
    enum Check: Sendable {
        case present(String)
        case equal(String, Value)
        case same(String, as: String)
        case more(String, than: Int)
        case absent(String)
    }

    struct Step: Sendable {
        var method = "GET"
        var suffix = ""
        var fields: [(String, String)] = []
        var content: String?
        var isReload = false

        var status = 200
        var response: [Field] = []
        var body: String?
        /// Whether the server hangs up instead.
        var disconnects = false
        var hasMagicLocations = false
        var oldDates: Set<String> = []

        var expectation = Expectation.anywhere
        /// Nil for whichever.
        var expectedStatus: Int?? = .none
        var expectedBody: String?? = .none
        var checksBody = true
        var checks: [Check] = []
        /// Fields that the server is to get, with a value or without.
        var asked: [(String, String?)] = []
        var notAsked: [String] = []
        var expectedMethod: String?
        /// The seconds that pass afterwards.
        var pause = 0.0
    }

    var id: String
    var steps: [Step]
}
