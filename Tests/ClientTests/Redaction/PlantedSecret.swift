import Foundation

@testable import LarderClient

/// A made-up secret in a text of random syntax, among values that are none.
///
/// A seed gives it again. What the secret is made of can be left out piece by piece, so that a text which shows one
/// can be told with the least of it.
struct PlantedSecret {
    /// The text, and the same with nothing where the secret is.
    let text: String
    let frame: String
    /// The secret, and how it is written in each text that is in a text.
    let forms: [String]
    /// Values that are to be shown: those before the secret, and those behind it where its end is clear.
    let shown: [String]
    let syntax: String
    /// What the secret is made of.
    let pieces: [String]

    init(seed: UInt64, without: Set<Int> = [], in syntax: SecretSyntax? = nil) {
        var random = SplitMix(seed: seed)
        let syntax = syntax ?? SecretSyntax.allCases.randomElement(using: &random) ?? .json
        let writer = SecretWriter(syntax: syntax, random: &random)
        pieces = (syntax.beginsWithWord ? ["Q7"] : []) + Self.pieces(of: writer.signs, &random)
        let joined = pieces.enumerated().filter { !without.contains($0.offset) }
            .map(\.element).joined()
        let secret = syntax.isLine ? joined.trimmingCharacters(in: .whitespacesAndNewlines) : joined
        var forms = [secret, writer.encoded(secret)]
        var (text, frame) = (writer.written(forms[1]), writer.written(""))
        var ways: [String] = []
        for _ in 0..<(Self.depths.randomElement(using: &random) ?? 0) {
            guard let way = SecretWrapping.allCases.randomElement(using: &random) else { break }
            ways.append("\(way)")
            (text, frame) = (way.wrapped(text), way.wrapped(frame))
            forms.append(way.written(forms[forms.count - 1]))
        }
        (self.text, self.frame, self.forms) = (text, frame, forms)
        // What looks as if it were in quotes may have its last one anywhere, and the last of what has a
        // backslash before it may be none.
        let first = secret.first { !$0.isWhitespace } ?? " "
        let isClear =
            syntax.isExact && !"\"'[{\\%&:=".contains(first)
            && !(syntax.hasEscapes && secret.contains("\\"))
        shown = writer.early + (ways.isEmpty && isClear ? writer.late : [])
        self.syntax = ([syntax.rawValue] + ways).joined(separator: " in ")
    }

    private static let depths = [0, 0, 0, 1, 1, 2]

    /// Words of random letters, and signs between them.
    private static func pieces(of signs: [String], _ random: inout SplitMix) -> [String] {
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ0123456789")
        return (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in
            let word = (0..<Int.random(in: 4...9, using: &random))
                .compactMap { _ in letters.randomElement(using: &random) }
            let between = (0..<Int.random(in: 0...2, using: &random))
                .compactMap { _ in signs.randomElement(using: &random) }
            let isFirst = Bool.random(using: &random)
            return isFirst ? between + [String(word)] : [String(word)] + between
        }
    }
}

/// Ways to write a text in another one.
enum SecretWrapping: String, CaseIterable {
    case json, asciiJSON, prettyJSON, form, element

    /// What becomes of a text in it.
    func written(_ text: String) -> String {
        switch self {
        case .json, .prettyJSON: SecretWriter.json(text)
        case .asciiJSON: SecretWriter.json(text, escaping: "\"'&<>=")
        case .form: SecretWriter.percent(text)
        case .element: SecretWriter.entities(text)
        }
    }

    func wrapped(_ text: String) -> String {
        let text = written(text)
        return switch self {
        case .json, .asciiJSON: #"{"status":1,"body":"\#(text)","end":2}"#
        case .prettyJSON: "{\n\t\"status\" : 1,\n\t\"body\" :\n\t\t\"\(text)\"\n}"
        case .form: "status=1&body=\(text)&end=2"
        case .element: "<reply><status>1</status><body>\(text)</body></reply>"
        }
    }
}

/// The syntaxes in which names and values are known.
enum SecretSyntax: String, CaseIterable {
    case json, prettyJSON, jsonPair, jsonMessage, jsonInLog, form, looseForm, query, head,
        foldedHead
    case curlHeader, curlForm, curlJSON, multipart, swiftDictionary, swiftStruct, swiftCase
    case log, quotedLog, line, sql, attribute, looseAttribute, element, data, propertyList, yaml
    /// Passwords of URLs, in the text, in angle brackets and without a scheme; a parameter of a credential's.
    case url, bracketedURL, looseURL, digest

    /// Whether the secret is a password in a URL.
    var isURL: Bool { self == .url || self == .bracketedURL || self == .looseURL }

    /// Whether it is clear where a secret ends, whatever is in it.
    var isExact: Bool {
        switch self {
        case .curlHeader, .curlForm, .curlJSON, .log, .looseForm, .looseAttribute, .attribute,
            .swiftCase, .sql, .yaml, .digest:
            false
        default: true
        }
    }

    var hasEquals: Bool {
        switch self {
        case .form, .looseForm, .query, .curlForm, .log, .quotedLog, .sql, .attribute,
            .looseAttribute, .multipart, .url, .bracketedURL, .looseURL, .digest:
            true
        default: false
        }
    }

    var hasEscapes: Bool { self == .quotedLog || self == .swiftStruct }

    /// Whether spaces around a secret are no part of it.
    var isLine: Bool {
        switch self {
        case .head, .foldedHead, .curlHeader, .line, .jsonMessage: true
        default: false
        }
    }

    /// Whether a secret begins with a letter, as it would be taken for a string otherwise, which ends at
    /// its second quote.
    var beginsWithWord: Bool { self == .jsonMessage || self == .log }

    /// What a secret may hold besides letters and digits.
    var signs: [String] {
        let line = [
            "\"", "'", "''", "\\", "\\n", "\\\"", "%", "%22", "%26quot;", "%3D", "&", "&quot;",
            "&amp;", ";", ";)", "=)", "')", "\")", "(", ")", "{", "}", "[", "]", "<", ">", "</",
            ",", ":", "=", "/", "//", "?", "#", "@", "+", "é", "ß", "日本", "👩‍👩‍👧", "u\u{301}",
            "|", "$", "!", "*", "-", "--", "~", "^", "`", "_", ".", "null", "\\u0022",
        ]
        let spaces = [" ", "  ", ", ", "; ", "\" ", "' ", ": "]
        switch self {
        case .log:
            // What a space, an ampersand or a further pair ends.
            return line.filter { sign in !"&=".contains { sign.contains($0) } }
        case .url, .bracketedURL, .looseURL:
            // What ends an authority.
            return line.filter { sign in !"/?#\\\"<>".contains { sign.contains($0) } }
        case .head, .curlHeader, .line, .jsonMessage: return line + spaces + ["\t"]
        case .foldedHead: return line + spaces + ["\r\n  ", "\r\n\t"]
        case .multipart: return line + spaces + ["\n", "\r\n", "\n--", "\n\n"]
        default: return line + spaces + ["\n", "\r\n", "\t", "\n\n"]
        }
    }
}
