import Foundation
import LarderClient
import Testing

/// Bytes that a broken or malicious server may send, and what is to become of them.
struct HostileResponse: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// A status and that many bytes of content.
        case response(Int, Int)
        /// An error of one of these kinds.
        case error([TransportError.Reason])
        /// Either; RFC 9112 leaves it to the recipient and libcurl's releases differ.
        case either
    }

    let name: String
    let bytes: [UInt8]
    let outcome: Outcome
    /// Whether the server then waits for the client to hang up.
    var staysOpen = false

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ outcome: Outcome, staysOpen: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.outcome = outcome
        self.staysOpen = staysOpen
    }

    init(_ name: String, _ text: String, _ outcome: Outcome, staysOpen: Bool = false) {
        self.init(name, Array(text.utf8), outcome, staysOpen: staysOpen)
    }

    /// What every case is tried with.
    static let limits = TransportLimits(maximumBodySize: 1 << 20, maximumHeaderSize: 64 << 10)

    /// The content of the cases that have one: two users.
    static let users = #"[{"id":1,"login":"ann"},{"id":2,"login":"bob"}]"#

    static let all =
        statusLines + interim + fields + lengths + chunks + codings + sizes + silences + disguises
        + framing + otherCodings
}
