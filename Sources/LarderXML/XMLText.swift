import Foundation

/// A document in UTF-8, without its declaration, and known to be without a document type.
///
/// The parser beneath is not trusted with either: which encodings it knows, and what it makes of entities,
/// differs between systems and their versions.
struct XMLText {
    let bytes: Data

    /// The lines that were taken from its start.
    let skippedLines: Int

    init(_ data: Data, charset: String?) throws(XMLError) {
        let text = Data(try Self.decoded(data, charset: charset).utf8)
        // Only in front of everything is it a declaration, and elsewhere nothing.
        let end = text.starts(with: "<?xml".utf8) ? text.range(of: Self.instructionEnd) : nil
        let start = end?.upperBound ?? text.startIndex
        bytes = Data(text[start...])
        skippedLines = text[..<start].count { $0 == UInt8(ascii: "\n") }
        // Some parsers take it for the end.
        guard !bytes.contains(0) else { throw XMLError(.malformed) }
        try Self.refuseDocumentType(bytes)
    }

    private static let instructionEnd = Data("?>".utf8)
    private static let commentEnd = Data("-->".utf8)

    /// Looks at what may stand in front of the root: comments and processing instructions, which is the
    /// one place for a document type.
    private static func refuseDocumentType(_ text: Data) throws(XMLError) {
        var rest = blankless(text)
        while true {
            let end: Range<Data.Index>?
            if rest.starts(with: "<!--".utf8) {
                end = rest.dropFirst(4).range(of: commentEnd)
            } else if rest.starts(with: "<?".utf8) {
                end = rest.dropFirst(2).range(of: instructionEnd)
            } else if rest.starts(with: "<!".utf8) {
                throw XMLError(.documentType)
            } else {
                return
            }
            guard let end else { throw XMLError(.malformed) }
            rest = blankless(rest[end.upperBound...])
        }
    }

    private static func blankless(_ text: Data) -> Data {
        text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    // MARK: - Encodings

    /// By the mark of byte order, what the response says, and what the document says, in that order.
    private static func decoded(_ data: Data, charset: String?) throws(XMLError) -> String {
        let start = Array(data.prefix(4))
        var text: String?
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            text = String(validating: data.dropFirst(3), as: UTF8.self)
        } else if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0x00, 0x3C]) {
            text = utf16(data, isBigEndian: true)
        } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0x3C, 0x00]) {
            text = utf16(data, isBigEndian: false)
        } else {
            switch (charset ?? declaredEncoding(data) ?? "utf-8").lowercased() {
            case "utf-8", "utf8", "us-ascii", "ascii":
                text = String(validating: data, as: UTF8.self)
            case "iso-8859-1", "latin1": text = String(data: data, encoding: .isoLatin1)
            case "windows-1252": text = String(data: data, encoding: .windowsCP1252)
            default: break
            }
        }
        guard let text else { throw XMLError(.encoding) }
        return text
    }

    private static func utf16(_ data: Data, isBigEndian: Bool) -> String? {
        guard data.count.isMultiple(of: 2) else { return nil }
        let bytes = Array(data)
        let units = stride(from: 0, to: bytes.count, by: 2).map { index in
            let (high, low) =
                isBigEndian ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return String(
            validating: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
    }

    /// The encoding that the declaration names, in which each encoding that is read here is ASCII.
    private static func declaredEncoding(_ data: Data) -> String? {
        let start = String(decoding: data.prefix(256), as: UTF8.self)
        guard start.hasPrefix("<?xml"), let end = start.range(of: "?>") else { return nil }
        let declaration = start[..<end.lowerBound]
        guard let name = declaration.range(of: "encoding") else { return nil }
        let value = declaration[name.upperBound...]
            .drop { $0 == " " || $0 == "\t" || $0 == "=" || $0.isNewline }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }
}
