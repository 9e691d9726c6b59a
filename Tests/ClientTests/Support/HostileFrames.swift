import Foundation
import LarderClient
import Testing

/// Frames of HTTP/2 that a broken or malicious server may send in answer to a request, which is stream 1, and what is
/// to become of them.
struct HostileFrames: Sendable, CustomTestStringConvertible {
    let name: String
    /// What the server sends first.
    var greeting = HTTP2Frame.settings()
    let bytes: [UInt8]
    let outcome: HostileResponse.Outcome
    /// Whether the server then waits for the client to hang up.
    var staysOpen = false

    var testDescription: String { name }

    init(
        _ name: String, _ frames: [UInt8]..., outcome: HostileResponse.Outcome = Self.broken,
        staysOpen: Bool = false
    ) {
        self.name = name
        self.bytes = frames.flatMap(\.self)
        self.outcome = outcome
        self.staysOpen = staysOpen
    }

    /// The case as one that libcurl 7.88 takes for the end of the content, if that has no length.
    var cut: HostileFrames {
        var other = HostileFrames(name, bytes, outcome: .either, staysOpen: staysOpen)
        other.greeting = greeting
        return other
    }

    /// The case with another beginning.
    func greeting(_ frames: [UInt8]...) -> HostileFrames {
        var other = self
        other.greeting = frames.flatMap(\.self)
        return other
    }

    /// An error, whichever libcurl makes of what HTTP/2 does not allow.
    static let broken = HostileResponse.Outcome.error([
        .malformedResponse, .connectionLost, .truncatedBody,
    ])

    static let users = HostileResponse.users
    static let ok = HTTP2Frame.fields(HPACK.ok)
    static let good = ok + HTTP2Frame.data(users)
    static let response = HostileResponse.Outcome.response(200, users.utf8.count)

    static let all =
        wellFormed + endings + resets + fields + compression + floods + settings + shapes + windows
        + promises + contents
}
