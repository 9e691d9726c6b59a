extension RedactedText {
    /// Leaves out what is in an element of XML, where its name, whatever its prefix, or that beside it is
    /// that of a secret.
    mutating func hideElement() -> Bool {
        if bytes[index] == Self.tagEnd, let name = tagName {
            tagName = nil
            return beginContent(of: name)
        }
        guard bytes[index] == Self.tagStart, index + 1 < bytes.count else { return false }
        guard isInName(index + 1) else {
            let rest = bytes[index...]
            if rest.starts(with: "</".utf8) || rest.starts(with: "<\\/".utf8) { endElement() }
            return false
        }
        let start = index
        index += 1
        while index < bytes.count, isInName(index) || bytes[index] == Self.colon { index += 1 }
        let name = start + 1..<index
        let secrecy = names.secrecy(of: localName(name))
        let isTag =
            index < bytes.count
            && (bytes[index] <= 0x20 || bytes[index] == Self.tagEnd || bytes[index] == Self.slash)
        if isTag, hideElement(name, secrecy) { return true }
        index = start
        if isTag {
            tagName = name
            beginTag()
        }
        return false
    }

    /// Leaves out what is in an element, behind whose name this is.
    private mutating func hideElement(
        _ name: Range<Int>, _ secrecy: Redaction.Secrecy
    ) -> Bool {
        guard secrecy != .none else { return false }
        if secrecy == .ifOpaque { bound = min(index + Self.sight, bytes.count) }
        let attributes = skipAttributes()
        let isEmpty = attributes.last == Self.slash
        var content = index..<(isEmpty ? index : endOfElement(bytes[name], from: index))
        bound = bytes.count
        if SecretNames.isCount(bytes[content], of: localName(name)) { return false }
        if secrecy == .ifOpaque {
            guard Redaction.isOpaque(bytes[content]) else { return false }
            content = index..<endOfElement(bytes[name], from: index)
        }
        if attributes.contains(where: { $0 > 0x20 && $0 != Self.slash }) {
            omit(
                attributes.startIndex..<attributes.endIndex - (isEmpty ? 1 : 0),
                for: [0x20] + Self.placeholder)
        }
        if !Self.isPlain(bytes[content]) { omit(content) }
        if !isEmpty { elements.append(Scope()) }
        index = content.upperBound
        return true
    }

    /// Takes notice of an element at the end of its tag, and leaves out its content where an element beside
    /// it has said that it is secret.
    private mutating func beginContent(of name: Range<Int>) -> Bool {
        let word = SecretNames.joined(localName(name))
        let isEmpty = bytes[index - 1] == Self.slash
        var scope = elements[elements.count - 1]
        // In a property list, the value is what follows its key, whatever it is called.
        let isValue = Self.values.contains(word) || scope.label == Self.key && word != Self.key
        let secrecy = isValue ? scope.secrecy : .none
        if isValue { scope.secrecy = .none }
        if isValue, scope.label == Self.key { scope.label = nil }
        var late: Int?
        if Self.labels.contains(word), !isEmpty {
            let label = bytes[(index + 1)...].prefix(41).prefix { $0 != Self.tagStart }
            let isSecret = label.count <= 40 && names.secrecy(of: Self.decoded(label)) == .always
            scope.secrecy = isSecret ? .always : .none
            scope.label = word
            if isSecret { late = scope.value?.start }
            scope.value = nil
        } else if Self.early.contains(word), !isEmpty {
            scope.value = (index + 1, Self.tagEnd)
        } else {
            scope.value = nil
        }
        elements[elements.count - 1] = scope
        let named = Self.empty.contains(word) ? .none : secrecyOfTag
        if !isEmpty { elements.append(Scope(secrecy: named)) }
        if let late { hideLate(from: late) { $0.hideContent() } }
        if secrecy != .always, named != .none, !isEmpty {
            keepScopes()
            index += 1
            return hideContent(named)
        }
        guard secrecy == .always, !isEmpty else { return false }
        keepScopes()
        index += 1
        let start = index
        let end = endOfElement(bytes[name], from: index)
        index = end
        if !Self.isPlain(bytes[start..<end]) { omit(start..<end) }
        return true
    }

    /// Leaves out the text up to the next tag.
    mutating func hideContent(_ secrecy: Redaction.Secrecy = .always) -> Bool {
        let start = index
        while index < bytes.count {
            if bytes[index] == Self.tagStart {
                guard bytes[index...].starts(with: "<![CDATA[".utf8) else { break }
                while index < bytes.count, !bytes[index...].starts(with: "]]>".utf8) { index += 1 }
            } else {
                index += 1
            }
        }
        let text = bytes[start..<index]
        let isShown =
            Self.isPlain(text) || text.allSatisfy { $0 <= 0x20 }
            || secrecy == .ifOpaque && !Redaction.isOpaque(text)
        if !isShown { omit(start..<index) }
        return true
    }

    private mutating func endElement() {
        if elements.count > 1 { elements.removeLast() } else { elements = [Scope()] }
    }

    /// An element's name without its prefix.
    private func localName(_ name: Range<Int>) -> String {
        Self.decoded(bytes[name].split(separator: Self.colon).last ?? [])
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

    /// Elements of HTML that have no content: what follows them is not named by their attributes.
    private static let empty = Set(
        ["br", "hr", "img", "input", "link", "meta"].map { Array($0.utf8) })
    private static let tagStart = UInt8(ascii: "<")
    private static let key = Array("key".utf8)
    private static let slash = UInt8(ascii: "/")
}
