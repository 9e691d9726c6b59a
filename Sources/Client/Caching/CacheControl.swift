import HTTPTypes

/// The directives of `Cache-Control` (RFC 9111, section 5.2), of a request or of a response.
///
/// What is no directive is passed over, and so are names that nobody knows. A number of seconds that is none, or
/// that is given twice and differently, counts as 0: what has it is stale at once (section 4.2.1).
struct CacheControl: Sendable, Hashable {
    private enum Argument: Hashable {
        case none
        case text(String)
        /// Something that is no argument, or two that differ.
        case malformed
    }

    private var directives: [String: Argument] = [:]

    /// Reads the directives of a message.
    init(_ fields: HTTPFields) {
        for value in fields[values: .cacheControl] { read(value) }
    }

    /// Whether a directive stands there, whatever its argument.
    func has(_ name: String) -> Bool { directives[name] != nil }

    /// Whether there is any directive.
    var isEmpty: Bool { directives.isEmpty }

    /// Whether a directive stands there without an argument.
    func isPlain(_ name: String) -> Bool { directives[name] == Argument.none }

    /// The seconds that a directive names, 0 where it names none; nil where it does not stand there.
    func seconds(_ name: String) -> Double? {
        guard let argument = directives[name] else { return nil }
        guard case .text(let text) = argument else { return 0 }
        return Self.seconds(in: text) ?? 0
    }

    /// The most seconds that are told from more (section 1.2.2).
    static let mostSeconds = 2_147_483_648.0

    /// The value of nothing but digits, at most ``mostSeconds``; nil for anything else.
    static func seconds(in text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(Double(text) ?? mostSeconds, mostSeconds)
    }

    // MARK: Reading

    private mutating func read(_ value: String) {
        for part in Self.members(of: value) {
            let part = part[...]
            let name = part.prefix(while: Self.isToken)
            guard !name.isEmpty else { continue }
            let rest = part[name.endIndex...]
            note(Self.argument(rest), of: String(decoding: name, as: UTF8.self).lowercased())
        }
    }

    private mutating func note(_ argument: Argument, of name: String) {
        guard let known = directives[name] else {
            directives[name] = argument
            return
        }
        if known != argument { directives[name] = .malformed }
    }

    /// What stands behind a name.
    private static func argument(_ rest: ArraySlice<UInt8>) -> Argument {
        guard let first = rest.first else { return .none }
        guard first == UInt8(ascii: "=") else { return .malformed }
        let value = rest.dropFirst()
        if value.first == UInt8(ascii: "\""), value.count > 1, value.last == value.first {
            return .text(unquoted(value.dropFirst().dropLast()))
        }
        guard !value.isEmpty, value.allSatisfy(isToken) else { return .malformed }
        return .text(String(decoding: value, as: UTF8.self))
    }

    private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
        var plain: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                plain.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// The members of a list, without white space around them; commas in quotes are part of a member.
    static func members(of value: String) -> [[UInt8]] {
        var members: [[UInt8]] = [[]]
        var (isQuoted, isEscaped) = (false, false)
        for byte in value.utf8 {
            if byte == UInt8(ascii: ","), !isQuoted {
                members.append([])
                continue
            }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
            members[members.count - 1].append(byte)
        }
        return members.map { member in
            let start = member.drop(while: isSpace)
            return Array(start.reversed().drop(while: isSpace).reversed())
        }.filter { !$0.isEmpty }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
