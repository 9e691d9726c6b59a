extension RedactedText {
    /// Writes an element of XML without what is in it, where its name, whatever its prefix, is that of a
    /// secret.
    mutating func hideElement() -> Bool {
        guard bytes[index] == Self.tagStart, index + 1 < bytes.count, isInName(index + 1) else {
            return false
        }
        let start = index
        index += 1
        while index < bytes.count, isInName(index) || bytes[index] == Self.colon { index += 1 }
        let name = bytes[start + 1..<index]
        let secrecy = names.secrecy(of: Self.decoded(name.split(separator: Self.colon).last ?? []))
        guard secrecy != .none, index < bytes.count,
            bytes[index] <= 0x20 || bytes[index] == Self.tagEnd || bytes[index] == Self.slash
        else {
            index = start
            return false
        }
        if secrecy == .ifOpaque { bound = min(index + Self.sight, bytes.count) }
        let attributes = skipAttributes()
        let isEmpty = attributes.last == Self.slash
        var content = index..<(isEmpty ? index : endOfElement(name, from: index))
        bound = bytes.count
        if secrecy == .ifOpaque {
            guard Redaction.isOpaque(bytes[content]) else {
                index = start
                return false
            }
            content = index..<endOfElement(name, from: index)
        }
        output += bytes[start..<name.endIndex]
        if attributes.contains(where: { $0 > 0x20 && $0 != Self.slash }) {
            output.append(0x20)
            output += Self.placeholder
        }
        if isEmpty { output.append(Self.slash) }
        if bytes[content.lowerBound - 1] == Self.tagEnd { output.append(Self.tagEnd) }
        output += Self.isPlain(bytes[content]) ? Array(bytes[content]) : Self.placeholder
        index = content.upperBound
        return true
    }

    /// Passes over the rest of a tag, and returns what stands in it behind its name.
    private mutating func skipAttributes() -> ArraySlice<UInt8> {
        let start = index
        var quote: UInt8?
        while index < bound {
            let byte = bytes[index]
            index += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            } else if byte == Self.tagEnd {
                return bytes[start..<index - 1]
            }
        }
        return bytes[start..<index]
    }

    /// Returns the index at which an element's own end tag begins, or looking ahead ends.
    private func endOfElement(_ name: ArraySlice<UInt8>, from start: Int) -> Int {
        var index = start
        var depth = 1
        while index < bound {
            guard bytes[index] == Self.tagStart else {
                index += 1
                continue
            }
            let rest = bytes[index..<bound]
            // JSON may have a backslash before a slash.
            let slash = index + (rest.dropFirst().first == Self.backslash ? 2 : 1)
            if rest.starts(with: "<![CDATA[".utf8) {
                while index < bound, !bytes[index..<bound].starts(with: "]]>".utf8) { index += 1 }
            } else if slash < bound, bytes[slash] == Self.slash, isTag(name, at: slash + 1) {
                depth -= 1
                if depth == 0 { return index }
            } else if isTag(name, at: index + 1) {
                depth += 1
            }
            index += 1
        }
        return bound
    }

    private func isTag(_ name: ArraySlice<UInt8>, at index: Int) -> Bool {
        let end = index + name.count
        return index < bytes.count && bytes[index...].starts(with: name)
            && (end >= bytes.count || !isInName(end) && bytes[end] != Self.colon)
    }

    private static let tagStart = UInt8(ascii: "<")
    private static let slash = UInt8(ascii: "/")
}
