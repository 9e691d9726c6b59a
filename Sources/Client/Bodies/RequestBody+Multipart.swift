public import Foundation

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
        if parts.contains(where: \.isGathered) {
            return RequestBody(gather: {
                var gathered: [Part] = []
                for part in parts { gathered.append(try await part.gathered()) }
                return multipart(gathered)
            })
        }
        return RequestBody {
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
        if parts.contains(where: \.isGathered) {
            return RequestBody(gather: { multipart(try fields.parts() + parts) })
        }
        return RequestBody { try multipart(fields.parts() + parts).encoded() }
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

extension QueryParameters {
    /// The parts of a form that has them as fields.
    fileprivate func parts() throws -> [RequestBody.Part] {
        try items().map { .field($0.name, $0.value ?? "") }
    }
}

extension RequestBody.Part {
    /// Whether its content has to be waited for.
    fileprivate var isGathered: Bool {
        if case .body(let body) = content { body.isGathered } else { false }
    }

    /// The part with content that can be encoded.
    fileprivate func gathered() async throws -> Self {
        guard case .body(let body) = content else { return self }
        return Self(name: name, fileName: fileName, content: .body(try await body.gathered()))
    }
}
