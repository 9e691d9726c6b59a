public import Foundation
import HTTPTypes
import LarderObjectStore

extension RequestBody {
    /// Sends parts as `multipart/form-data` (RFC 7578), in the order given.
    ///
    /// ```swift
    /// .multipart([
    ///     .field("title", "Dünen"),
    ///     .file("photo", photo),
    ///     .body("meta", .json(["width": 3, "height": 2])),
    /// ])
    /// ```
    ///
    /// Names are written as browsers do it (WHATWG): in UTF-8, with only quotation marks and line breaks
    /// percent-encoded. Content above 1 MiB is put together in a temporary file without a name.
    public static func multipart(_ parts: [Part]) -> RequestBody {
        RequestBody {
            var form = MultipartForm()
            for part in parts { try form.append(part) }
            return EncodedBody(
                data: try form.data(),
                contentType: "multipart/form-data; boundary=\(form.boundary)")
        }
    }

    /// Sends fields of several types, then parts, as `multipart/form-data`.
    ///
    /// The fields' values become text as those of a query do.
    public static func multipart(fields: QueryParameters, _ parts: [Part] = []) -> RequestBody {
        RequestBody {
            let fields = try fields.items().map { Part.field($0.name, $0.value ?? "") }
            return try multipart(fields + parts).encoded()
        }
    }

    /// One part of a ``multipart(_:)`` body.
    public struct Part: Sendable {
        enum Content: Sendable {
            case body(RequestBody)
            case file(URL, contentType: String?)
        }

        let name: String
        let fileName: String?
        let content: Content

        /// Text as a form's field has it.
        public static func field(_ name: String, _ value: String) -> Part {
            body(name, .text(value, contentType: nil))
        }

        /// Bytes as a file; its name is that of the part unless given.
        public static func data(
            _ name: String, _ data: Data, fileName: String? = nil,
            contentType: String = "application/octet-stream"
        ) -> Part {
            body(name, .data(data, contentType: contentType), fileName: fileName ?? name)
        }

        /// A file, under its own name unless another is given; read when the request is built, as
        /// ``RequestBody/file(_:contentType:)`` is.
        public static func file(
            _ name: String, _ file: URL, fileName: String? = nil, contentType: String? = nil
        ) -> Part {
            Part(
                name: name, fileName: fileName ?? file.lastPathComponent,
                content: .file(file, contentType: contentType))
        }

        /// Any body with its type, such as JSON; a file only where it has a file's name.
        public static func body(
            _ name: String, _ body: RequestBody, fileName: String? = nil
        ) -> Part {
            Part(name: name, fileName: fileName, content: .body(body))
        }
    }
}

/// Puts the parts of a form together, with a boundary that nobody can guess.
struct MultipartForm {
    let boundary: String
    private var pieces: [Piece] = []
    private var size = 0

    private enum Piece {
        case data(Data)
        case file(FileContent)
    }

    init() {
        var random = SystemRandomNumberGenerator()
        let characters = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let tail = (0..<40).compactMap { _ in characters.randomElement(using: &random) }
        boundary = "larder-" + String(tail)
    }

    mutating func append(_ part: RequestBody.Part) throws {
        switch part.content {
        case .body(let body):
            let content = try body.encoded()
            append(try head(of: part, contentType: content.contentType, content.contentCoding))
            append(content.data)
        case .file(let url, let contentType):
            let type = contentType ?? FileContent.type(of: url)
            guard HTTPField.isValidValue(type) else {
                throw TransportError.invalidRequest("A part's type is no valid field value.")
            }
            let file = try FileContent(of: url)
            append(try head(of: part, contentType: type))
            pieces.append(.file(file))
            size += file.size
        }
        append(Data("\r\n".utf8))
    }

    /// The whole form.
    func data() throws(TransportError) -> Data {
        let end = Data("--\(boundary)--\r\n".utf8)
        guard size > FileContent.memoryLimit else {
            var data = Data(capacity: size + end.count)
            for piece in pieces {
                switch piece {
                case .data(let bytes): data.append(bytes)
                case .file(let file): data.append(try file.data())
                }
            }
            return data + end
        }
        return try FileContent.spooled { (spool) throws(POSIXError) in
            for piece in pieces + [.data(end)] {
                switch piece {
                case .data(let bytes): try spool.append(bytes)
                case .file(let file): try file.append(to: &spool)
                }
            }
        }
    }

    private mutating func append(_ data: Data) {
        pieces.append(.data(data))
        size += data.count
    }

    private func head(
        of part: RequestBody.Part, contentType: String?, _ coding: String? = nil
    ) throws -> Data {
        guard coding == nil else {
            throw TransportError.invalidRequest("A part of a form can't be compressed by itself.")
        }
        var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\""
        head += Self.escaped(Self.withWholeLineBreaks(part.name)) + "\""
        if let fileName = part.fileName { head += "; filename=\"\(Self.escaped(fileName))\"" }
        if let contentType { head += "\r\nContent-Type: \(contentType)" }
        return Data((head + "\r\n\r\n").utf8)
    }

    /// Each line break as CR and LF, which the standard asks for in names, not in those of files.
    private static func withWholeLineBreaks(_ name: String) -> String {
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in name.unicodeScalars {
            if scalar == "\n", last == "\r" {
                // The pair has been written.
            } else if scalar == "\n" || scalar == "\r" {
                result.append(contentsOf: "\r\n".unicodeScalars)
            } else {
                result.append(scalar)
            }
            last = scalar
        }
        return String(result)
    }

    private static func escaped(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\n": result += "%0A"
            case "\r": result += "%0D"
            case "\"": result += "%22"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension SpoolFile {
    fileprivate mutating func append(_ data: Data) throws(POSIXError) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(POSIXError) in try append(bytes) }
        }
        try result.get()
    }
}
