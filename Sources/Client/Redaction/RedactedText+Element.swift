/// Elements of XML, whose names stand in their tags or in what is beside them.
extension RedactedText {
    /// Reads the name of an element, or ends one.
    mutating func readTag() {
        let first = index
        index += 1
        guard index < end else { return }
        if bytes[index] == UInt8(ascii: "/") {
            let element = frames.suffix(16).lastIndex { $0.kind == Frame.element }
            if let element { frames.removeSubrange(element...) }
            return
        }
        while index < end, Self.isName(bytes[index]) || bytes[index] == UInt8(ascii: ":") {
            index += 1
        }
        let name = first + 1..<index
        let rest = bytes[index..<end]
        // As in `<https://h/>`.
        let isScheme =
            bytes[name].last == UInt8(ascii: ":") && rest.first == UInt8(ascii: "/")
            && !rest.starts(with: "/>".utf8)
        guard !name.isEmpty, index < end, !isScheme,
            bytes[index] <= 0x20 || ">/".utf8.contains(bytes[index])
        else {
            index = first + 1
            return
        }
        if hideElement(name) { return }
        if frame.kind == Frame.tag { frames.removeLast() }
        frames.append(Frame(kind: Frame.tag, name: name))
    }

    /// Leaves out the attributes and the content of an element whose own name is that of a secret.
    private mutating func hideElement(_ name: Range<Int>) -> Bool {
        let word = localName(name)
        let secrecy = names.secrecy(of: word)
        guard secrecy != .none else { return false }
        let attributes = index..<endOfTag(index)
        let isEmpty = bytes[attributes].last == UInt8(ascii: "/")
        let first = min(attributes.upperBound + 1, end)
        if secrecy == .ifOpaque, !isOpaque(first) { return false }
        let content = first..<(isEmpty ? first : endOfElement(name, from: first))
        if SecretNames.isCount(bytes[content], of: word) { return false }
        if bytes[attributes].contains(where: { $0 > 0x20 && $0 != UInt8(ascii: "/") }) {
            hide(
                attributes.lowerBound..<attributes.upperBound - (isEmpty ? 1 : 0),
                for: [0x20] + Self.placeholder)
        }
        if !Self.isPlain(bytes[content]) { hide(content) }
        hiddenEnd = max(hiddenEnd, content.upperBound)
        // The content begins and ends nothing but itself.
        if !isEmpty { frames.append(Frame(kind: Frame.element, name: name)) }
        index = first
        return true
    }

    /// Ends a tag, and leaves out the text of its element where its attributes or an element beside
    /// it have said that it is secret.
    mutating func endTag() {
        index += 1
        guard let tag = frames.last, tag.kind == Frame.tag else { return }
        frames.removeLast()
        let word = SecretNames.joined(localName(tag.name))
        let isEmpty = bytes[index - 2] == UInt8(ascii: "/") || Self.empty.contains(word)
        // In a property list, the value is what follows its key, whatever it is called.
        let isBehindKey = frame.label == Self.key && word != Self.key
        let isValue = Self.values.contains(word) || isBehindKey
        let secrecy = isValue ? frame.secrecy : .none
        if isValue { frame.secrecy = .none }
        if isBehindKey { frame.label = nil }
        let late = frame.value
        frame.value = nil
        if isEmpty { return }
        if Self.labels.contains(word) {
            let label = bytes[index..<min(index + 41, end)].prefix { $0 != Frame.tag }
            let isSecret =
                isCut && label.endIndex == end
                || label.count <= 40 && names.secrecy(of: Self.decoded(label)) == .always
            (frame.secrecy, frame.label) = (isSecret ? .always : .none, word)
            if isSecret, let late { _ = hideContent(from: late.index, .always) }
        } else if Self.early.contains(word) {
            frame.value = Place(
                index: index, mark: .colon, name: nil, word: "", kind: 0, isElement: true)
        }
        frames.append(Frame(kind: Frame.element, name: tag.name, secrecy: tag.secrecy))
        if secrecy == .always {
            let last = endOfElement(tag.name, from: index)
            if !Self.isPlain(bytes[index..<last]) { hide(index..<last) }
        } else if tag.secrecy != .none {
            index = hideContent(from: index, tag.secrecy)
        }
    }

    /// Leaves out the text up to the next tag, and returns its end.
    mutating func hideContent(from first: Int, _ secrecy: Redaction.Secrecy) -> Int {
        var last = first
        while last < end, bytes[last] != Frame.tag || isData(last) {
            last = isData(last) ? endOfData(last) : last + 1
        }
        work += last - first
        let text = bytes[first..<last]
        let isShown =
            Self.isPlain(text) || text.allSatisfy { $0 <= 0x20 }
            || secrecy == .ifOpaque && !Redaction.isOpaque(text)
        if !isShown { hide(first..<last) }
        return last
    }

    /// An element's name without its prefix.
    private func localName(_ name: Range<Int>) -> String {
        Self.decoded(bytes[name].split(separator: UInt8(ascii: ":")).last ?? [])
    }

    /// Returns the index of the bracket that ends a tag.
    private mutating func endOfTag(_ first: Int) -> Int {
        var place = first
        defer { work += place - first }
        while place < end, bytes[place] != UInt8(ascii: ">") {
            let isString = bytes[place] == 0x22 || bytes[place] == 0x27
            let quote = bytes[place]
            place += 1
            if isString { place = bytes[place..<end].firstIndex(of: quote).map { $0 + 1 } ?? end }
        }
        return place
    }

    /// Returns the index at which an element's own end tag begins, or the end of the text.
    private mutating func endOfElement(_ name: Range<Int>, from first: Int) -> Int {
        var (place, depth) = (first, 1)
        defer { work += place - first }
        while place < end {
            if bytes[place] != Frame.tag {
                place += 1
            } else if isData(place) {
                place = endOfData(place)
            } else if place + 1 < end, bytes[place + 1] == UInt8(ascii: "/"),
                isTag(name, at: place + 2)
            {
                depth -= 1
                if depth == 0 { return place }
                place += 1
            } else {
                if isTag(name, at: place + 1) { depth += 1 }
                place += 1
            }
        }
        return end
    }

    private func isTag(_ name: Range<Int>, at place: Int) -> Bool {
        let last = place + name.count
        return place < end && bytes[place..<end].starts(with: bytes[name])
            && (last >= end || !Self.isName(bytes[last]) && bytes[last] != UInt8(ascii: ":"))
    }

    private func isData(_ place: Int) -> Bool {
        bytes[place] == Frame.tag && bytes[place..<end].starts(with: "<![CDATA[".utf8)
    }

    private func endOfData(_ first: Int) -> Int {
        var place = first
        while place < end {
            if bytes[place..<end].starts(with: "]]>".utf8) { return place + 3 }
            place += 1
        }
        return end
    }

    /// Elements of HTML that have no content: what follows them is not named by their attributes.
    private static let empty = Set(
        ["br", "hr", "img", "input", "link", "meta"].map { Array($0.utf8) })
    private static let key = Array("key".utf8)
}
