import Foundation

/// A cookie as one `Set-Cookie` field describes it, before it is known whether it is taken
/// (RFC 6265bis, section 5.6).
struct ReceivedCookie {
    private(set) var name = ""
    private(set) var value = ""
    /// The attribute `Domain` in lower case, without a dot in front; empty where there is none.
    private(set) var domain = ""
    /// The attribute `Path`: nil where there is none, empty where it names no path.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite: Cookie.SameSite?
    private var maxAge: Date?
    private var expiresAt: Date?

    /// The time at which it expires; nil for the end of the session.
    var expires: Date? { maxAge ?? expiresAt }

    /// The longest time that a cookie is kept: 400 days.
    static let maximumAge: TimeInterval = 400 * 24 * 60 * 60
    /// The most bytes of a name and its value.
    static let maximumSize = 4096
    /// The most bytes of an attribute's value.
    static let maximumAttributeSize = 1024

    /// Reads a field; nil where nothing of it can be kept.
    init?(_ field: String, at now: Date) {
        let bytes = Array(field.utf8)
        guard bytes.allSatisfy(Self.isAllowed) else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let pair = parts.first else { return nil }
        let (left, right) = Self.halves(pair)
        // Without an equals sign, all of it is the value.
        let (name, value) = right.map { (left, $0) } ?? ([], left)
        guard name.count + value.count <= Self.maximumSize, !name.isEmpty || !value.isEmpty else {
            return nil
        }
        self.name = String(decoding: name, as: UTF8.self)
        self.value = String(decoding: value, as: UTF8.self)
        for attribute in parts.dropFirst() {
            let (name, value) = Self.halves(attribute)
            take(Self.lowercased(name), value ?? [], now)
        }
    }

    /// Whether a byte may stand in a field: no control character but a tabulator.
    static func isAllowed(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

    private mutating func take(_ name: String, _ value: ArraySlice<UInt8>, _ now: Date) {
        guard value.count <= Self.maximumAttributeSize else { return }
        switch name {
        case "expires":
            guard let date = CookieDate.date(value) else { return }
            expiresAt = min(date, now.addingTimeInterval(Self.maximumAge))
        case "max-age":
            guard let seconds = Self.seconds(value) else { return }
            maxAge = seconds > 0 ? now.addingTimeInterval(seconds) : .distantPast
        case "domain":
            domain = Self.lowercased(value.first == UInt8(ascii: ".") ? value.dropFirst() : value)
        case "path":
            path = value.first == UInt8(ascii: "/") ? String(decoding: value, as: UTF8.self) : ""
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite":
            let text = Self.lowercased(value)
            sameSite = [.strict, .lax, .none].first { $0.rawValue.lowercased() == text }
        default: break
        }
    }

    /// The number of seconds, up to the longest time; 0 for one below, nil for what is no number.
    private static func seconds(_ value: ArraySlice<UInt8>) -> TimeInterval? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if isNegative { return 0 }
        // More than can be counted is more than is kept.
        let seconds = Int64(String(decoding: digits, as: UTF8.self)).map(TimeInterval.init)
        return min(seconds ?? maximumAge, maximumAge)
    }

    /// The text with the letters of ASCII in lower case, and no other: some of those become ASCII.
    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(
            decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// What is before and behind the first equals sign, without blanks around; nil behind none.
    private static func halves(
        _ bytes: ArraySlice<UInt8>
    ) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            return (trimmed(bytes), nil)
        }
        return (trimmed(bytes[..<sign]), trimmed(bytes[(sign + 1)...]))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let end = bytes.lastIndex(where: { !isBlank($0) }) else { return [] }
        return bytes[...end].drop(while: isBlank)
    }
}
