public import Foundation
public import HTTPTypes
public import LarderClient

/// Exchanges with a server, in the order in which they were begun.
///
/// A ``RecordingTransport`` makes one of what a client does, a ``StubTransport`` plays it back. As a file it is
/// JSON that people may read and edit; contents are text where they are UTF-8, else Base64.
///
/// ```swift
/// let transport = RecordingTransport(through: CurlTransport())
/// // … a client with this transport does its work …
/// try transport.recording.write(to: file)
/// ```
public struct Recording: Sendable, Hashable {
    /// A request, and what became of it.
    public struct Exchange: Sendable, Hashable {
        /// The request, without its secrets.
        public var request: Request

        /// The response, or the error in its place.
        public var outcome: Outcome

        /// Creates an exchange.
        public init(request: Request, outcome: Outcome) {
            self.request = request
            self.outcome = outcome
        }
    }

    /// A request without its secrets.
    public struct Request: Sendable, Hashable {
        /// The method.
        public var method: HTTPRequest.Method

        /// The URL; the values of secret query items are left out.
        public var url: String

        /// The content, nil where there was none.
        public var body: Data?

        /// Creates a request.
        public init(method: HTTPRequest.Method = .get, url: String, body: Data? = nil) {
            self.method = method
            self.url = url
            self.body = body
        }
    }

    /// What became of a request.
    public enum Outcome: Sendable, Hashable {
        /// A response, as the transport handed it over: its content is decoded.
        case response(HTTPResponse, body: Data)
        /// An error of the transport.
        case failure(TransportError)
    }

    /// The exchanges, in the order in which they were begun.
    public var exchanges: [Exchange]

    /// Creates a recording.
    public init(_ exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }

    /// Reads a file.
    ///
    /// - Throws: `CocoaError` where there is none to read, `DecodingError` where it is no recording.
    public init(contentsOf file: URL) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }

    /// Writes a file in place of the one that is there.
    ///
    /// - Throws: `CocoaError` where it can't be written.
    public func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: file, options: .atomic)
    }
}

extension Recording.Request {
    /// Takes the part of a request by which its answer is found.
    init(_ request: TransportRequest, redaction: Redaction) {
        let head = request.head
        self.init(
            method: head.method,
            url: redaction.adding(request.secretNames).url(
                "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"),
            body: request.body.flatMap { $0.isEmpty ? nil : $0 })
        let type = head.headerFields[.contentType]?.lowercased() ?? ""
        // So that what is recorded again is the same file.
        if type.hasPrefix("multipart/") { body = body?.withoutBoundary }
    }
}

extension Recording: Codable {
    private enum Keys: String, CodingKey {
        case version, exchanges
    }

    /// Reads a recording of version 1.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        let version = try values.decode(Int.self, forKey: .version)
        guard version == 1 else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: values, debugDescription: "There is no version \(version).")
        }
        exchanges = try values.decode([Exchange].self, forKey: .exchanges)
    }

    /// Writes a recording of version 1.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(1, forKey: .version)
        try values.encode(exchanges, forKey: .exchanges)
    }
}

extension Recording.Exchange: Codable {
    private enum Keys: String, CodingKey {
        case method, url, requestText, requestBytes, status, reasonPhrase, headerFields, text,
            bytes,
            failure, message, code
    }

    /// Reads an exchange.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        let name = try values.decode(String.self, forKey: .method)
        guard let method = HTTPRequest.Method(name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .method, in: values, debugDescription: "That is no method.")
        }
        request = Recording.Request(
            method: method, url: try values.decode(String.self, forKey: .url),
            body: try values.content(.requestText, .requestBytes))
        if let reason = try values.decodeIfPresent(String.self, forKey: .failure) {
            outcome = .failure(
                TransportError(
                    TransportError.Reason(named: reason),
                    try values.decode(String.self, forKey: .message),
                    code: try values.decodeIfPresent(Int.self, forKey: .code)))
            return
        }
        let code = try values.decode(Int.self, forKey: .status)
        guard 100...999 ~= code else {
            throw DecodingError.dataCorruptedError(
                forKey: .status, in: values, debugDescription: "A status has three digits.")
        }
        let phrase = try values.decodeIfPresent(String.self, forKey: .reasonPhrase) ?? ""
        let lines = try values.decodeIfPresent([String].self, forKey: .headerFields) ?? []
        let fields = lines.compactMap(HTTPField.init(line:))
        guard fields.count == lines.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .headerFields, in: values,
                debugDescription: "A header field is written as name, colon, space, value.")
        }
        let head = HTTPResponse(
            status: .init(code: code, reasonPhrase: phrase), headerFields: HTTPFields(fields))
        outcome = .response(head, body: try values.content(.text, .bytes) ?? Data())
    }

    /// Writes an exchange.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(request.method.rawValue, forKey: .method)
        try values.encode(request.url, forKey: .url)
        if let body = request.body {
            try values.encode(content: body, .requestText, .requestBytes)
        }
        switch outcome {
        case .failure(let error):
            try values.encode(error.reason.description, forKey: .failure)
            try values.encode(error.message, forKey: .message)
            try values.encodeIfPresent(error.code, forKey: .code)
        case .response(let head, let body):
            try values.encode(head.status.code, forKey: .status)
            if !head.status.reasonPhrase.isEmpty {
                try values.encode(head.status.reasonPhrase, forKey: .reasonPhrase)
            }
            try values.encode(
                head.headerFields.map { "\($0.name.rawName): \($0.value)" }, forKey: .headerFields)
            if !body.isEmpty { try values.encode(content: body, .text, .bytes) }
        }
    }
}

extension KeyedDecodingContainer {
    /// Content that stands there as text, or else as Base64.
    fileprivate func content(_ text: Key, _ bytes: Key) throws -> Data? {
        if let text = try decodeIfPresent(String.self, forKey: text) { return Data(text.utf8) }
        return try decodeIfPresent(Data.self, forKey: bytes)
    }
}

extension KeyedEncodingContainer {
    fileprivate mutating func encode(content: Data, _ text: Key, _ bytes: Key) throws {
        if let content = String(validating: content, as: UTF8.self) {
            try encode(content, forKey: text)
        } else {
            try encode(content, forKey: bytes)
        }
    }
}

extension HTTPField {
    fileprivate init?(line: String) {
        guard let colon = line.firstRange(of: ": "),
            let name = Name(String(line[..<colon.lowerBound]))
        else { return nil }
        self.init(name: name, value: String(line[colon.upperBound...]))
    }
}
