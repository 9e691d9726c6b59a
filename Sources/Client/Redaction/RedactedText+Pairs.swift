/// Values whose names are values, too, as in `"name": "password", "value": "a"`, in either order.
extension RedactedText {
    /// A bracket, tag or element that is open, and what is known of names and values beside each
    /// other in it.
    struct Frame {
        /// The bracket that begins it, or one of the kinds below; zero around everything.
        var kind: UInt8 = 0
        /// The name of an element.
        var name = 0..<0
        /// The secrecy that a name has given the value to come.
        var secrecy = Redaction.Secrecy.none
        /// The key of the last name.
        var label: [UInt8]?
        /// Whether the value may be a part of a form, which stands behind an empty line.
        var namesPart = false
        /// The place of a value that has no name yet.
        var value: Place?

        static let tag = UInt8(ascii: "<")
        static let element = UInt8(ascii: ">")
    }

    var frame: Frame {
        get { frames[frames.count - 1] }
        set { frames[frames.count - 1] = newValue }
    }

    /// Ends what a bracket has begun, and all in it.
    mutating func endFrame(_ close: UInt8) {
        let open: UInt8 = close == 0x29 ? 0x28 : close - 2
        for frame in frames.suffix(16).indices.reversed() {
            if frames[frame].kind == Frame.element { return }
            if frames[frame].kind == open { return frames.removeSubrange(frame...) }
        }
    }

    /// Leaves out values that have met no name, in a text whose end is missing.
    mutating func hideNameless() {
        var last = start
        for frame in frames where frame.label == nil {
            guard let value = frame.value, value.index >= last else { continue }
            hiddenEnd = last
            hideLate(value, .always)
            last = max(last, hiddenEnd)
        }
    }

    /// Returns the secrecy of the value behind a name, which may have been named before it.
    mutating func secrecy(of name: String, behind mark: Mark) -> Redaction.Secrecy {
        let word = SecretNames.joined(name)
        if Self.values.contains(word) {
            if frame.secrecy != .none {
                defer { frame.secrecy = .none }
                return frame.secrecy
            }
            // Around all objects, pairs follow each other: it is the last name's.
            if Self.early.contains(word), frames.count > 1 || frame.label == nil {
                frame.value = Place(
                    index: index, mark: mark, name: nil, word: name, kind: frame.kind,
                    isElement: false)
            }
        } else if Self.labels.contains(word) || frame.kind == Frame.tag && word == Self.type {
            note(secrecyAhead(index), by: word)
            frame.namesPart = mark == .equals
        } else if Self.places.contains(word), case let rest = bytes[index..<end],
            ["[", "\"/", "'/", #""\/"#].contains(where: { rest.starts(with: $0.utf8) })
        {
            let secrecy = secrecyAhead(index)
            if secrecy != .none || frame.label == word { note(secrecy, by: word) }
            frame.namesPart = false
        }
        return names.secrecy(of: name)
    }

    /// The secrecy of what the value that begins somewhere names.
    private func secrecyAhead(_ place: Int) -> Redaction.Secrecy {
        let rest = bytes[place..<min(place + 64, end)]
        let label: ArraySlice<UInt8>
        if let quote = rest.first, quote == 0x22 || quote == 0x27 {
            label = bytes[place + 1..<end].prefix { $0 != quote }
            if ["/", #"\/"#].contains(where: { label.starts(with: $0.utf8) }) {
                return names.secrecy(ofPointer: Self.decoded(label))
            }
        } else if rest.first == UInt8(ascii: "[") {
            label = rest.prefix { $0 != UInt8(ascii: "]") }
        } else {
            label = rest.prefix { $0 >= 0x20 && !",;&<>}".utf8.contains($0) }
        }
        // What is cut off may be any name.
        if isCut, label.endIndex == end { return .always }
        return label.count > 42 ? .none : names.secrecy(of: Self.decoded(label))
    }

    /// Takes the secrecy that a name gives to the value beside it, which is before or behind it.
    private mutating func note(_ secrecy: Redaction.Secrecy, by label: [UInt8]) {
        // Where there is no object, a second name is another pair's.
        frame.secrecy = frame.label == label ? secrecy : max(frame.secrecy, secrecy)
        frame.label = label
        guard secrecy != .none, let value = frame.value else { return }
        frame.value = nil
        hideLate(value, secrecy)
    }

    /// Leaves out what stands behind a name in a list of lists, as in `[["password", "a"]]`.
    mutating func hidePair(of name: Range<Int>) {
        guard name.lowerBound >= hiddenEnd,
            frames.suffix(2).allSatisfy({ $0.kind == 0x5B || $0.kind == 0x28 }),
            bytes[start..<name.lowerBound - 1].suffix(Self.sight).last(where: { $0 > 0x20 })
                == frame.kind
        else { return }
        let rest = bytes[index..<end].drop { $0 <= 0x20 }
        guard rest.first == UInt8(ascii: ",") else { return }
        let word = Self.decoded(bytes[name])
        let place = Place(
            index: rest.dropFirst().drop { $0 <= 0x20 }.startIndex, mark: .colon, name: nil,
            word: word, kind: frame.kind, isElement: false)
        hideValue(at: place, names.secrecy(of: word))
    }

    /// Leaves out a value that its name stands behind.
    private mutating func hideLate(_ value: Place, _ secrecy: Redaction.Secrecy) {
        let hidden = hiddenEnd
        if value.isElement {
            _ = hideContent(from: value.index, secrecy)
        } else {
            hideValue(at: value, secrecy)
        }
        // What is behind it has been read.
        hiddenEnd = max(hidden, min(hiddenEnd, index))
    }

    /// Passes over the end of a line, and leaves out the part of a form that `name="password"`
    /// stands before, between an empty line and the next boundary.
    mutating func readLine() {
        index += 1
        readBoundary()
        guard frame.namesPart, frame.secrecy != .none else { return }
        let rest = bytes[index..<end]
        guard let mark = ["\r\n", "\n"].first(where: { rest.starts(with: $0.utf8) }) else {
            return
        }
        frame.secrecy = .none
        index += mark.utf8.count
        let first = index
        while index < end, bytes[index] != 0x0A || !bytes[(index + 1)..<end].starts(with: boundary)
        {
            index += 1
        }
        hide(first..<index)
    }

    /// Keeps the line that begins here, where it begins a part of a form.
    mutating func readBoundary() {
        let line = bytes[index..<end].prefix(Self.sight).prefix { $0 > 0x20 }
        if line.starts(with: "--".utf8) { boundary = line }
    }

    /// The keys of a name, as in `"name": "password"`, and those of the value beside it.
    static let labels = Set(
        ["name", "key", "field", "id", "param", "parameter"].map { Array($0.utf8) })
    static let values = Set(
        ["value", "val", "content", "default", "input", "rejectedvalue"].map { Array($0.utf8) })
    /// Those of a value that may stand before its name.
    static let early = Set(["value", "val", "input", "rejectedvalue"].map { Array($0.utf8) })
    /// The keys of a list of names, or a JSON Pointer, that leads to a value.
    private static let places = Set(["loc", "path", "from"].map { Array($0.utf8) })
    /// The attribute by which a field of a form is that of a password.
    private static let type = Array("type".utf8)
}
