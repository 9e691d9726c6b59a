/// Values whose names are values, too, as in `"name": "password", "value": "a"`, in either order.
extension RedactedText {
    /// What is known of names and values beside each other.
    struct Scope {
        /// The secrecy that a name has given the value to come.
        var secrecy = Redaction.Secrecy.none
        /// The key of the last name.
        var label: [UInt8]?
        /// Whether the value may be a part of a form, which stands behind an empty line.
        var namesPart = false
        /// The place of a value that has no name yet, and the sign before it.
        var value: (start: Int, mark: UInt8)?
    }

    private var scope: Scope {
        get { scopes[scopes.count - 1] }
        set { scopes[scopes.count - 1] = newValue }
    }

    /// Begins and ends scopes where brackets and tags do.
    mutating func keepScopes() {
        guard !valueAtRest.contains(index) else { return }
        switch bytes[index] {
        case UInt8(ascii: "{"): scopes.append(Scope())
        case UInt8(ascii: "}"): endScope()
        case 0x22: keepStrings()
        case Self.tagEnd:
            guard let depth = tagDepth else { break }
            scopes.removeLast(max(scopes.count - depth, 0))
            tagDepth = nil
        default: break
        }
    }

    /// Begins the scope of a tag's attributes.
    mutating func beginTag() {
        if let depth = tagDepth { scopes.removeLast(max(scopes.count - depth, 0)) }
        tagDepth = scopes.count
        scopes.append(Scope())
    }

    private mutating func endScope() {
        guard scopes.count > (strings.last?.depth ?? 1) else {
            if strings.isEmpty { scopes = [Scope()] }
            return
        }
        endScopes(to: scopes.count - 1)
    }

    /// Ends the scopes that are nested more deeply.
    mutating func endScopes(to depth: Int) {
        scopes.removeLast(max(scopes.count - depth, 0))
        if let tag = tagDepth, scopes.count <= tag { tagDepth = nil }
    }

    /// The secrecy that the attributes of the tag that is open give to what is in its element.
    var secrecyOfTag: Redaction.Secrecy {
        tagDepth.map { scopes.count > $0 } ?? false ? scope.secrecy : .none
    }

    /// Leaves out values that have met no name, in a text whose end is missing.
    mutating func hideNameless() {
        for scope in scopes where scope.label == nil {
            guard let value = scope.value else { continue }
            hideLate(from: value.start) { $0.hideValue(behind: value.mark, .always) }
        }
        for scope in elements where scope.label == nil {
            guard let value = scope.value else { continue }
            hideLate(from: value.start) { $0.hideContent() }
        }
    }

    /// Returns the secrecy of the value behind a name, which may have been named before it.
    mutating func secrecy(of name: String, behind mark: UInt8) -> Redaction.Secrecy {
        let word = SecretNames.joined(name)
        if Self.values.contains(word) {
            if scope.secrecy != .none {
                defer { scope.secrecy = .none }
                return scope.secrecy
            }
            // Around all objects, pairs follow each other: it is the last name's.
            if Self.early.contains(word), scopes.count > 1 || scope.label == nil {
                scope.value = (index, mark)
                passStrayBrackets(behind: mark)
            }
        } else if Self.labels.contains(word) || tagDepth != nil && word == Self.type {
            let label = valueAhead(behind: mark)
            note(label.count > 40 ? .none : names.secrecy(of: Self.decoded(label)), by: word)
            scope.namesPart = mark == Self.equals
        } else if Self.places.contains(word), index < bytes.count, bytes[index] == Self.listStart {
            note(names.secrecy(of: Self.decoded(valueAhead(behind: mark))), by: word)
            scope.namesPart = false
        }
        return names.secrecy(of: name)
    }

    /// Takes the secrecy that a name gives to the value beside it, which is before or behind it.
    private mutating func note(_ secrecy: Redaction.Secrecy, by label: [UInt8]) {
        // Where there is no object, a second name is another pair's.
        scope.secrecy = scope.label == label ? secrecy : max(scope.secrecy, secrecy)
        scope.label = label
        guard secrecy != .none, let value = scope.value else { return }
        scope.value = nil
        hideLate(from: value.start) { $0.hideValue(behind: value.mark, secrecy) }
    }

    /// Leaves out a value that its name stands behind.
    mutating func hideLate(from start: Int, _ hide: (inout RedactedText) -> Bool) {
        guard start >= lateEnd else { return }
        let here = index
        index = start
        if hide(&self) { lateEnd = index }
        index = here
    }

    /// Takes brackets in a value that is no object and no list for what they are, each once at most.
    private mutating func passStrayBrackets(behind mark: UInt8) {
        guard index >= valueAtRest.upperBound, index < bytes.count,
            bytes[index] != UInt8(ascii: "{"), bytes[index] != Self.listStart
        else { return }
        let start = index
        _ = skipValue(behind: mark)
        valueAtRest = start..<index
        depthAtRest = scopes.count
        index = start
    }

    private mutating func valueAhead(behind mark: UInt8) -> ArraySlice<UInt8> {
        let start = index
        bound = min(start + Self.sight, bytes.count)
        let value = skipValue(behind: mark).map { bytes[$0.content] } ?? []
        bound = bytes.count
        index = start
        return value
    }

    /// Leaves out the part of a form that `name="password"` stands before, between an empty line and the
    /// next boundary.
    mutating func hidePart() -> Bool {
        guard scope.secrecy != .none, scope.namesPart
        else { return false }
        let rest = bytes[index...]
        guard let mark = ["\r\n\r\n", "\n\n"].first(where: { rest.starts(with: $0.utf8) }) else {
            return false
        }
        scope.secrecy = .none
        index += mark.utf8.count
        let start = index
        let boundary = boundary(before: start)
        while index < bytes.count,
            bytes[index] != 0x0A || !bytes[(index + 1)...].starts(with: boundary)
        {
            index += 1
        }
        omit(start..<index)
        return true
    }

    /// The boundary of the part of a form in which a place is, or what each begins with.
    private func boundary(before start: Int) -> [UInt8] {
        let head = bytes[max(start - 8 * Self.sight, 0)..<start]
        let lines = head.split(separator: 0x0A)
        let line = lines.last { $0.starts(with: "--".utf8) }
        return line.map { Array($0.prefix { $0 > 0x20 }) } ?? Array("--".utf8)
    }
}

// MARK: - Constants

extension RedactedText {
    /// The keys of a name, as in `"name": "password"`, and those of the value beside it.
    static let labels = Set(
        ["name", "key", "field", "id", "param", "parameter"].map { Array($0.utf8) })
    static let values = Set(
        ["value", "content", "default", "input", "rejectedvalue"].map { Array($0.utf8) })
    /// Those of a value that may stand before its name.
    static let early = Set(["value", "input", "rejectedvalue"].map { Array($0.utf8) })
    /// The keys of a list of names that leads to a value.
    private static let places = Set(["loc", "path"].map { Array($0.utf8) })
    /// The attribute by which a field of a form is that of a password.
    private static let type = Array("type".utf8)
}
