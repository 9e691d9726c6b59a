import Foundation
import HTTPTypes
import LarderObjectStore

/// The `Retry-After` field of a response (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// Returns the time to wait that a field's value asks for, a number of seconds or a date; nil for
    /// anything else.
    static func duration(_ value: String, at now: Date) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More than can be counted is for ever.
            return .seconds(min(Int64(value) ?? .max, 1 << 40))
        }
        let date = HTTPDate.date(value)?.timeIntervalSinceReferenceDate ?? RFC1123.date(value)
        guard let date else { return nil }
        let seconds = date - now.timeIntervalSinceReferenceDate
        return .seconds(max(seconds, 0).rounded(.up))
    }
}
