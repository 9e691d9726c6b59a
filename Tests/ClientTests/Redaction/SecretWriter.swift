import Foundation

/// Writes a secret and values that are none in a syntax.
struct SecretWriter {
    /// A name and a value that is no secret.
    private typealias Pair = (name: String, value: String)

    let syntax: SecretSyntax
    private let name: String
    private let pairs: (early: [Pair], late: [Pair])
    /// Whether a thing that may be written in two ways is written in the second one.
    private let isOther: Bool
    private let space: String

    init(syntax: SecretSyntax, random: inout SplitMix) {
        self.syntax = syntax
        name = Self.names.randomElement(using: &random) ?? "password"
        // Behind an equals sign, a code or a key is a secret.
        let pairs = Self.pairs.filter { !syntax.hasEquals || !["code", "key"].contains($0.name) }
            .shuffled(using: &random)
        let count = Int.random(in: 0...2, using: &random)
        self.pairs = (
            Array(pairs.prefix(count)),
            Array(pairs.dropFirst(count).prefix(Int.random(in: 0...2, using: &random)))
        )
        isOther = Bool.random(using: &random)
        space = ["", " "].randomElement(using: &random) ?? ""
    }

    private static let names = [
        "password", "token", "user_password", "authorization", "Authorization", "api_key", "apiKey",
        "X-Api-Key", "newPassword", "client_secret", "accessToken", "refresh_token", "passwd",
        "pin",
        "Proxy-Authorization",
    ]

    private static let pairs: [Pair] = [
        ("id", "90210"), ("user", "ann"), ("code", "401"), ("token_type", "bearer"),
        ("page", "2017"),
        ("message", "not-found"), ("expires_in", "3600"), ("author", "kim"), ("key", "PROJ-12"),
    ]

    var early: [String] { pairs.early.map(\.value) }
    var late: [String] { pairs.late.map(\.value) }
    var signs: [String] { syntax.signs }

    // MARK: - Values

    /// The secret as the syntax has it.
    func encoded(_ secret: String) -> String {
        switch syntax {
        case .json, .prettyJSON, .jsonPair, .jsonMessage, .jsonInLog: Self.json(secret)
        case .form, .query: Self.percent(secret)
        case .looseForm: Self.percent(secret, but: "-._~!$'()*,;:@/?")
        case .foldedHead, .head, .line, .log, .multipart, .url, .bracketedURL, .looseURL: secret
        case .curlHeader: Self.shell(secret)
        case .curlForm: Self.shell(Self.percent(secret, but: "-._~!$'()*,;:@/?"))
        case .curlJSON: Self.shell(Self.json(secret))
        case .swiftDictionary, .swiftStruct, .swiftCase:
            String(String(reflecting: secret).dropFirst().dropLast())
        case .quotedLog, .digest: Self.json(secret)
        case .sql, .yaml: secret.replacing("'", with: "''")
        case .attribute, .element, .propertyList: Self.entities(secret)
        case .looseAttribute: Self.entities(secret, "&<\"")
        case .data: secret.replacing("]]>", with: "]]]]><![CDATA[>")
        }
    }

    static func json(_ text: String, escaping further: String = "") -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": return "\\n"
            case "\r": return "\\r"
            case "\t": return "\\t"
            case _ where scalar.value < 0x20 || further.unicodeScalars.contains(scalar):
                let hex = String(scalar.value, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            case "\"": return "\\\""
            case "\\": return "\\\\"
            default: return String(scalar)
            }
        }.joined()
    }

    static func percent(_ text: String, but plain: String = "-._*") -> String {
        let plain = Set(plain.utf8)
        return text.utf8.map { byte in
            let isWord =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
            if isWord || plain.contains(byte) { return String(UnicodeScalar(byte)) }
            let hex = String(byte, radix: 16, uppercase: true)
            return (hex.utf8.count == 1 ? "%0" : "%") + hex
        }.joined()
    }

    static func entities(_ text: String, _ signs: String = "&<>\"'") -> String {
        let names: [Unicode.Scalar: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
        ]
        return text.unicodeScalars.map { scalar in
            signs.unicodeScalars.contains(scalar)
                ? names[scalar] ?? String(scalar) : String(scalar)
        }.joined()
    }

    private static func shell(_ text: String) -> String {
        text.replacing("'", with: #"'\''"#)
    }

    // MARK: - Texts

    /// A text with the secret as the syntax has it.
    func written(_ secret: String) -> String {
        switch syntax {
        case .json, .jsonInLog, .curlJSON:
            let text = "{" + members(secret).joined(separator: "," + space) + "}"
            return switch syntax {
            case .jsonInLog: "12:30 POST /users \(text)\n"
            case .curlJSON: "curl 'https://h.test/users' --data-raw '\(text)'"
            default: text
            }
        case .prettyJSON:
            let members = members(secret, isOther ? "\n\t\t" : " ").joined(separator: ",\n\t")
            return "{\n\t" + members + "\n}"
        case .jsonPair:
            let pair = [#""name":"\#(name)""#, #""value":"\#(secret)""#]
            let body = (isOther ? pair.reversed() : pair).joined(separator: ",")
            return "["
                + (pairs.early.map(json) + ["{\(body)}"] + pairs.late.map(json))
                .map { $0.hasPrefix("{") ? $0 : "{\($0)}" }.joined(separator: ",") + "]"
        case .jsonMessage:
            let message = #""error":"bad \#(name): \#(secret)""#
            return "{"
                + (pairs.early.map(json) + [message] + pairs.late.map(json))
                .joined(separator: "," + space) + "}"
        case .form, .looseForm, .query, .curlForm:
            let text = list("=", "&", secret)
            return switch syntax {
            case .query: "https://h.test/users?" + text
            case .curlForm: "curl 'https://h.test/users' --data-raw '\(text)'"
            default: text
            }
        case .head, .foldedHead:
            return list(": ", "\r\n", secret) + "\r\n"
        case .line: return list(": ", "\n", secret)
        case .curlHeader:
            return "curl "
                + ((pairs.early + [(name, secret)] + pairs.late)
                .map { "--header '\($0.name): \($0.value)'" } + ["'https://h.test/'"])
                .joined(separator: " ")
        case .multipart: return parts(secret)
        default: return described(secret)
        }
    }

    private func described(_ secret: String) -> String {
        switch syntax {
        case .swiftDictionary:
            return "[" + members(secret, " ").joined(separator: ", ") + "]"
        case .swiftStruct:
            let value = isOther ? "Optional(\"\(secret)\")" : "\"\(secret)\""
            return "User("
                + ((pairs.early.map { "\($0.name): \"\($0.value)\"" }) + ["\(identifier): \(value)"]
                + pairs.late.map { "\($0.name): \"\($0.value)\"" })
                .joined(separator: isOther ? ",\n" : ", ") + ")"
        case .swiftCase:
            return
                (pairs.early.map { "\($0.name): \($0.value)" }
                + ["Failure.\(identifier)(\"\(secret)\")"]).joined(separator: " ")
        case .log: return list("=", " ", secret)
        case .quotedLog: return list("=", " ", "\"\(secret)\"")
        case .url: return beside("\(isOther ? "postgres" : "https")://ann:\(secret)@h.test/")
        case .bracketedURL: return beside("<\(isOther ? "redis" : "https")://ann:\(secret)@h.test>")
        case .looseURL: return beside("//ann:\(secret)@h.test")
        case .digest:
            return beside(
                "Authorization\(space)=\(space)Digest realm=\"h t\", nc=1, response=\"\(secret)\"")
        case .sql:
            return "UPDATE users SET "
                + (pairs.early.map(assignment) + [assignment((identifier, secret))]
                + pairs.late.map(assignment)).joined(separator: ", ") + " WHERE open = 1"
        case .yaml: return list(": ", "\n", "'\(secret)'")
        case .attribute, .looseAttribute:
            return "<user "
                + (pairs.early + [(identifier, secret)] + pairs.late)
                .map { "\($0.name)=\"\($0.value)\"" }.joined(separator: " ") + "/>"
        case .propertyList:
            return "<dict>\n"
                + (pairs.early + [(name, secret)] + pairs.late)
                .map { "<key>\($0.name)</key>\n<string>\($0.value)</string>" }
                .joined(separator: "\n") + "</dict>"
        default:
            let value = syntax == .data ? "<![CDATA[\(secret)]]>" : secret
            return "<user>"
                + (pairs.early + [(identifier, value)] + pairs.late)
                .map { "<\($0.name)>\($0.value)</\($0.name)>" }.joined(
                    separator: isOther ? "\n" : "")
                + "</user>"
        }
    }

    private var identifier: String { name.replacing("-", with: "_") }

    private func list(_ mark: String, _ separator: String, _ secret: String) -> String {
        (pairs.early + [(name, secret)] + pairs.late)
            .map { $0.name + mark + $0.value }.joined(separator: separator)
    }

    /// What stands between the other pairs of a log.
    private func beside(_ text: String) -> String {
        (pairs.early.map { "\($0.name)=\($0.value)" } + [text]
            + pairs.late.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
    }

    private func members(_ secret: String, _ space: String? = nil) -> [String] {
        let member = "\"\(name)\":" + (space ?? self.space) + "\"\(secret)\""
        return pairs.early.map(json) + [member] + pairs.late.map(json)
    }

    private func json(_ pair: Pair) -> String {
        let isNumber = Int(pair.value) != nil
        return "\"\(pair.name)\":\(space)" + (isNumber ? pair.value : "\"\(pair.value)\"")
    }

    private func assignment(_ pair: Pair) -> String {
        "\(pair.name)\(space)=\(space)'\(pair.value)'"
    }

    private func parts(_ secret: String) -> String {
        let end = isOther ? "\n" : "\r\n"
        let parts = (pairs.early + [(name, secret)] + pairs.late).map { pair in
            "--boundary-7\(end)Content-Disposition: form-data; name=\"\(pair.name)\"\(end)\(end)"
                + pair.value + end
        }
        return parts.joined() + "--boundary-7--" + end
    }
}
