import Foundation
import HTTPTypes
import LarderObjectStore

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
