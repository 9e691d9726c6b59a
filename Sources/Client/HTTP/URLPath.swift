public import Foundation

/// A reference to a resource, in which whatever is interpolated stays one segment.
///
/// ```swift
/// var path: URLPath { "repos/\(name)/issues" }
/// ```
///
/// A name is percent-encoded, so that it can neither end the segment nor begin a query. The request is
/// refused where a name would make a segment empty, `.` or `..`, which would name another resource.
/// `\(segments: ["a", "b"])` is several segments, `\(raw: text)` text as it is.
///
/// Another origin than the base URL's has to be named by the literal, or by a `URL`: what is known only at
/// run time, be it raw, never decides who is asked.
public struct URLPath: Sendable, Hashable {
    fileprivate enum Piece: Hashable {
        /// What stands in the code.
        case literal(String)
        /// What is encoded, so that it ends nothing.
        case part(String)
        /// What is known at run time, and is taken as it is.
        case raw(String)

        /// What is taken as it is.
        var text: String? {
            switch self {
            case .literal(let text), .raw(let text): text
            case .part: nil
            }
        }
    }

    private var pieces: [Piece]

    /// Creates a path of text that is taken as it is, such as one from a response; its origin is the base
    /// URL's.
    public init(_ text: String) {
        pieces = [.raw(text)]
    }

    /// Creates a path that is a whole URL, of whatever origin.
    ///
    /// To another origin than the base URL's go only some of the client's header fields:
    /// ``Client/Configuration/sharedHeaderFields``.
    public init(_ url: URL) {
        pieces = [.literal(url.absoluteString)]
    }

    /// Creates a path that names its origin by parts of code.
    init(origin: String, path: String) {
        pieces = [.literal(origin + "/"), .raw(path)]
    }

    /// The path that is one of any type.
    init(any path: some EndpointPath) throws(TransportError) {
        switch path {
        case let text as String: self.init(text)
        case let path as URLPath: self = path
        case let url as URL: self.init(url)
        default:
            throw .invalidRequest(
                "The endpoint's path is of type \(type(of: path)); it has to be a URLPath, a String or a "
                    + "URL.")
        }
    }
}

extension URLPath: CustomStringConvertible {
    /// The reference as text, with its parts encoded.
    public var description: String {
        let text = pieces.map { piece in
            switch piece {
            case .literal(let text), .raw(let text): PercentEncoding.completing(text[...])
            case .part(let text): PercentEncoding.part(text)
            }
        }.joined()
        // A colon behind what is not known would make a scheme of it (RFC 3986, section 4.2).
        if case .part = pieces.first { return "./" + text }
        return text
    }
}

extension URLPath {
    /// Returns the URL that this path means where `base` is the current one.
    func target(against base: URLReference) throws(TransportError) -> URLReference {
        // Most are, and take a tenth of the time.
        if let text = plainText { return base.appending(plain: text) }
        let reference = try reference
        let target = reference.resolved(against: base)
        guard target.origin == base.origin || isNamedByCode(reference) else {
            throw .invalidRequest(
                "The path leads to another origin than the base URL's: name that in the literal of a "
                    + "URLPath, or by a URL.")
        }
        return target
    }

    /// The path where it is nothing but names with slashes between them, of which nothing is encoded, resolved or
    /// refused; nil where it may be something else.
    private var plainText: String? {
        if pieces.count == 1, let text = pieces[0].text {
            return Self.isPlain(text, mayHaveSlashes: true) ? text : nil
        }
        // A part that comes first may look like a scheme, one without text makes a segment empty.
        guard pieces.first?.text != nil else { return nil }
        var whole = ""
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let text), .raw(let text):
                // What starts with a slash is plain behind another piece.
                let rest = index > 0 ? text.drop { $0 == "/" } : text[...]
                let isNothing = index > 0 && rest.isEmpty
                guard isNothing || Self.isPlain(rest, mayHaveSlashes: true) else { return nil }
                whole += text
            case .part(let text):
                guard Self.isPlain(text, mayHaveSlashes: false) else { return nil }
                whole += text
            }
        }
        return whole
    }

    /// Whether text is letters, digits, hyphens and underscores, and slashes but at its start.
    private static func isPlain(_ text: some StringProtocol, mayHaveSlashes: Bool) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "/") else { return false }
        return text.utf8.allSatisfy { byte in
            let letter = byte | 0x20
            return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
                || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                || mayHaveSlashes && byte == UInt8(ascii: "/")
        }
    }

    /// The path as a reference to a resource.
    var reference: URLReference {
        get throws(TransportError) {
            if pieces.count == 1, let text = pieces[0].text { return try URLReference(text) }
            try checkPieces()
            return try URLReference(description)
        }
    }

    /// Whether the scheme and the authority are those of the literal that comes first.
    private func isNamedByCode(_ reference: URLReference) -> Bool {
        guard case .literal(let text) = pieces.first else { return false }
        let start = try? URLReference(text)
        return start?.scheme == reference.scheme && start?.authority == reference.authority
    }

    /// Refuses control characters, and segments that a part makes empty or relative.
    private func checkPieces() throws(TransportError) {
        var segment = Segment()
        for piece in pieces {
            switch piece {
            case .part(let text): segment.append(part: text)
            case .literal(let text), .raw(let text):
                guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                    throw .invalidRequest("The URL holds a control character.")
                }
                try segment.append(text)
            }
        }
        try segment.end()
    }

    /// The segment of the path that a piece stands in.
    private struct Segment {
        private var text = ""
        private var hasPart = false
        /// Whether a query or a fragment has begun.
        private var isPastPath = false

        mutating func append(part: String) {
            text += part.replacing("%", with: "%25")
            hasPart = true
        }

        mutating func append(_ piece: String) throws(TransportError) {
            for character in piece.unicodeScalars {
                switch character {
                case "/": try end()
                case "?" where !isPastPath, "#" where !isPastPath:
                    try end()
                    isPastPath = true
                default: text.unicodeScalars.append(character)
                }
            }
        }

        mutating func end() throws(TransportError) {
            defer { (text, hasPart) = ("", false) }
            guard hasPart, !isPastPath else { return }
            let plain = text.lowercased().replacing("%2e", with: ".")
            guard plain != "", plain != ".", plain != ".." else {
                throw .invalidRequest(
                    "A part of the path is empty, '.' or '..', and would name another resource.")
            }
        }
    }
}

extension URLPath: ExpressibleByStringInterpolation {
    /// Creates a path that stands in the code.
    public init(stringLiteral text: String) {
        pieces = [.literal(text)]
    }

    /// Creates a path that stands in the code, with parts.
    public init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
    }

    /// A path in the making.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        /// Begins without anything.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds what stands in the code.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
        }

        /// Adds text, a number or whatever else is text without loss; it stays in its segment.
        public mutating func appendInterpolation(_ part: some LosslessStringConvertible) {
            pieces.append(.part(part.description))
        }

        /// Adds an identifier.
        public mutating func appendInterpolation(_ part: UUID) {
            pieces.append(.part(part.uuidString))
        }

        /// Adds the raw value of a case.
        @_disfavoredOverload  // Text of its own counts.
        public mutating func appendInterpolation<Case: RawRepresentable>(_ part: Case)
        where Case.RawValue: LosslessStringConvertible {
            pieces.append(.part(part.rawValue.description))
        }

        /// Adds segments, each of which stays one.
        public mutating func appendInterpolation(segments: [some LosslessStringConvertible]) {
            if segments.isEmpty { pieces.append(.part("")) }
            for (index, segment) in segments.enumerated() {
                if index > 0 { pieces.append(.literal("/")) }
                pieces.append(.part(segment.description))
            }
        }

        /// Adds text as it is, with its slashes, its query and its escapes.
        public mutating func appendInterpolation(raw text: String) {
            pieces.append(.raw(text))
        }

        /// Says what a part is.
        @available(
            *, unavailable,
            message: """
                a part of a path is text, a number, a UUID or a raw value; unwrap an optional, and write \
                several as 'segments:'
                """
        )
        @_disfavoredOverload
        public mutating func appendInterpolation<Part>(_ part: Part) {}
    }
}

/// A type that the path of an endpoint may be of: ``URLPath``, `String` or `URL`, and no other.
public protocol EndpointPath: Sendable, CustomStringConvertible {}

extension URLPath: EndpointPath {}

extension String: EndpointPath {}

extension URL: EndpointPath {}
