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
        let text = Array(try Self.decoded(data, charset: charset).utf8)
        let end =
            Self.startsWithDeclaration(text[...]) ? Self.end(of: "?>", in: text[...]) : nil
        if let end, !Self.isDeclaration(text[..<end]) { throw XMLError(.malformed) }
        let rest = text[(end ?? text.startIndex)...]
        skippedLines = text[..<rest.startIndex].count { $0 == UInt8(ascii: "\n") }
        // Some parsers take it for the end. By a second mark or declaration they would read the rest in
        // another encoding than it is looked at here.
        guard !rest.contains(0), !rest.starts(with: [0xEF, 0xBB, 0xBF]),
            !Self.startsWithDeclaration(rest)
        else { throw XMLError(.malformed) }
        try Self.refuseDocumentType(rest)
        bytes = try Self.completingInstructions(of: rest)
    }

    /// Only in front of everything is it a declaration, and elsewhere nothing.
    private static func startsWithDeclaration(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: "<?xml".utf8)
            && text.dropFirst(5).first.map { isBlank($0) || $0 == UInt8(ascii: "?") } == true
    }

    /// Whether a declaration says its version, then its encoding and whether it stands alone, if at all, and nothing
    /// else (XML 1.0, section 2.8).
    private static func isDeclaration(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.dropFirst(5).dropLast(2)
        /// Takes what a name is set to, where that comes next, behind a blank.
        func value(of name: String) -> [UInt8]? {
            let start = rest.drop(while: isBlank)
            guard start.startIndex > rest.startIndex, start.starts(with: name.utf8) else {
                return nil
            }
            let sign = start.dropFirst(name.utf8.count).drop(while: isBlank)
            let quoted = sign.dropFirst().drop(while: isBlank)
            guard sign.first == UInt8(ascii: "="), let quote = quoted.first,
                quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = quoted.dropFirst().firstIndex(of: quote)
            else { return nil }
            rest = quoted[(end + 1)...]
            return Array(quoted[..<end].dropFirst())
        }
        guard let version = value(of: "version"), version.starts(with: "1.".utf8),
            version.count > 2, version.dropFirst(2).allSatisfy({ (0x30...0x39).contains($0) }),
            value(of: "encoding")?.isEmpty != true
        else { return false }
        let isAlone = value(of: "standalone").map { String(decoding: $0, as: UTF8.self) } ?? "no"
        return ["yes", "no"].contains(isAlone) && rest.allSatisfy(isBlank)
    }

    /// Looks at what may stand in front of the root: comments and processing instructions, which is the
    /// one place for a document type.
    private static func refuseDocumentType(_ text: ArraySlice<UInt8>) throws(XMLError) {
        var rest = text.drop(while: isBlank)
        while true {
            let end: Int?
            if rest.starts(with: "<!--".utf8) {
                end = Self.end(of: "-->", in: rest.dropFirst(4))
            } else if rest.starts(with: "<?".utf8) {
                end = Self.end(of: "?>", in: rest.dropFirst(2))
            } else if rest.starts(with: "<!".utf8) {
                throw XMLError(.documentType)
            } else {
                return
            }
            guard let end else { throw XMLError(.malformed) }
            rest = rest[end...].drop(while: isBlank)
        }
    }

    /// Puts a blank into processing instructions that have nothing behind their names, which end the process
    /// in Foundation's parser on Linux: it asks for the length of what is not there.
    ///
    /// Looks at the attributes on the way: their number, and their names, as the parsers hand them over in a
    /// dictionary.
    private static func completingInstructions(
        of text: ArraySlice<UInt8>
    ) throws(XMLError) -> Data {
        var result = Data()
        var (rest, copied) = (text, text.startIndex)
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            var end: Int?
            if rest.starts(with: "<!--".utf8) {
                end = Self.end(of: "-->", in: rest.dropFirst(4))
            } else if rest.starts(with: "<![CDATA[".utf8) {
                end = Self.end(of: "]]>", in: rest.dropFirst(9))
            } else if rest.starts(with: "<?".utf8) {
                end = Self.end(of: "?>", in: rest.dropFirst(2))
                if let end, !rest[..<end].contains(where: isBlank) {
                    result += text[copied..<(end - 2)]
                    result.append(UInt8(ascii: " "))
                    copied = end - 2
                }
            } else {
                end = start + 1
                // No value of an attribute has another one in it.
                let tag = rest.dropFirst().prefix { $0 != UInt8(ascii: "<") }
                let names = XMLAttributeNames(tag)
                if names.areTooMany { throw XMLError(.tooLarge) }
                if names.areAmbiguous { throw XMLError(.ambiguousNames) }
            }
            // What has no end is not well-formed.
            guard let end else { break }
            rest = rest[end...]
        }
        return result + text[copied...]
    }

    /// The place behind a mark.
    private static func end(of mark: StaticString, in text: ArraySlice<UInt8>) -> Int? {
        let mark = mark.withUTF8Buffer { Array($0) }
        var rest = text
        while let start = rest.firstIndex(of: mark[0]) {
            rest = rest[start...]
            if rest.starts(with: mark) { return start + mark.count }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
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
