/// A text from which layers of escapes have been taken, and where in the text each of its bytes was.
///
/// A layer is whatever is escaped by JSON, percent-encoded or an entity of HTML. Of text in text in text,
/// one of the layers is what the innermost was.
struct DecodedText {
    let bytes: [UInt8]
    /// The index in the text of what each byte was, and the end of the text; empty where nothing has been
    /// decoded.
    private let places: [Int]

    /// The text itself.
    init(_ bytes: [UInt8]) {
        (self.bytes, places, isApart) = (bytes, [], false)
    }

    private init(bytes: [UInt8], places: [Int], isApart: Bool) {
        (self.bytes, self.places, self.isApart) = (bytes, places, isApart)
    }

    /// Whether each of its strings is a line without its quotes, so that no quote of a text around another
    /// one is taken for one of that.
    let isApart: Bool

    /// Whether it differs from the text.
    var isDecoded: Bool { !places.isEmpty }

    /// Returns the place in the text of some bytes.
    func place(of range: Range<Int>) -> Range<Int> {
        isDecoded ? places[range.lowerBound]..<places[range.upperBound] : range
    }

    /// The text, and what is left of it without one layer after the other.
    ///
    /// A layer is taken to be all that is escaped, and where that is done in several ways, what is escaped in
    /// one of them: of JSON's escapes in a page, those that are of the page have to be taken away first.
    static func layers(of source: [UInt8]) -> [DecodedText] {
        var layers = [DecodedText(source)]
        while layers.count < layerCount, let next = layers.last?.decoded(marks) {
            layers.append(next)
        }
        for layer in layers.prefix(4) {
            let ways = marks.filter(layer.bytes.contains)
            layers += [layer.decoded(marks, apart: true)].compactMap(\.self)
            if ways.count > 1 {
                layers += ways.compactMap { layer.decoded([$0], apart: true) }
            }
        }
        let count = layers.count
        var known = Set(layers.filter { !$0.isApart }.map(\.bytes))
        var index = 0
        while index < layers.count, layers.count < mostLayers {
            let layer = layers[index]
            index += 1
            let ways = marks.filter(layer.bytes.contains)
            guard ways.count > 1 || index > count else { continue }
            for way in ways where layers.count < mostLayers {
                guard let next = layer.decoded([way]), known.insert(next.bytes).inserted else {
                    continue
                }
                layers.append(next)
            }
        }
        return layers
    }

    /// The number of layers that are looked into, so that time is linear in the length of a text.
    private static let layerCount = 8
    private static let mostLayers = 28

    /// Returns what is left without another layer of what begins with some marks; nil where there is none.
    ///
    /// - Parameter apart: Whether each string becomes a line, if any escape is in it.
    private func decoded(_ marks: [UInt8], apart: Bool = false) -> DecodedText? {
        guard bytes.contains(where: marks.contains) else { return nil }
        var (plain, origins): ([UInt8], [Int]) = ([], [])
        plain.reserveCapacity(bytes.count)
        origins.reserveCapacity(bytes.count + 1)
        var index = 0
        while index < bytes.count {
            let place = isDecoded ? places[index] : index
            let isMark = marks.contains(bytes[index])
            if isMark, let sign = sign(at: index) {
                // As in the text itself, nobody sees a NUL.
                for byte in String(sign.scalar).utf8 where byte != 0 {
                    plain.append(byte)
                    origins.append(place)
                }
                index += sign.count
            } else if isMark, bytes[index] == Self.percent, let byte = hex(index + 1..<index + 3) {
                if byte != 0 {
                    plain.append(UInt8(byte))
                    origins.append(place)
                }
                index += 3
            } else {
                plain.append(apart && bytes[index] == 0x22 ? 0x0A : bytes[index])
                origins.append(place)
                index += 1
            }
        }
        guard plain.count < bytes.count, !apart || bytes.contains(0x22) else { return nil }
        origins.append(isDecoded ? places[bytes.count] : bytes.count)
        return DecodedText(bytes: plain, places: origins, isApart: apart || isApart)
    }

    // MARK: - Escapes

    /// A sign, and the number of bytes that it is written in.
    private typealias Sign = (scalar: Unicode.Scalar, count: Int)

    private static let percent = UInt8(ascii: "%")
    private static let backslash = UInt8(ascii: "\\")
    private static let ampersand = UInt8(ascii: "&")

    /// The bytes that escapes begin with.
    private static let marks = [percent, backslash, ampersand]

    private func sign(at index: Int) -> Sign? {
        guard index + 1 < bytes.count else { return nil }
        if bytes[index] == Self.ampersand { return entity(at: index + 1) }
        guard bytes[index] == Self.backslash else { return nil }
        switch bytes[index + 1] {
        case UInt8(ascii: "u"): return scalar(index + 2..<index + 6)
        case UInt8(ascii: "x"): return scalar(index + 2..<index + 4)
        case UInt8(ascii: "n"): return ("\n", 2)
        case UInt8(ascii: "r"): return ("\r", 2)
        case UInt8(ascii: "t"): return ("\t", 2)
        case let byte where "\"\\/'".utf8.contains(byte): return (Unicode.Scalar(byte), 2)
        default: return nil
        }
    }

    /// The sign of some digits behind a backslash and a letter.
    private func scalar(_ digits: Range<Int>) -> Sign? {
        hex(digits).flatMap(Unicode.Scalar.init).map { ($0, digits.count + 2) }
    }

    /// The sign of an entity, whose `&` is in front of an index.
    private func entity(at start: Int) -> Sign? {
        // Numbers may have zeros before them.
        let rest = bytes[start..<min(start + 32, bytes.count)]
        guard rest.first == UInt8(ascii: "#") else {
            let letters = rest.prefix(while: SecretNames.isLetter)
            let name = String(decoding: letters, as: UTF8.self).lowercased()
            if letters.endIndex < rest.endIndex, bytes[letters.endIndex] == UInt8(ascii: ";"),
                let scalar = Self.entities[name]
            {
                return (scalar, name.utf8.count + 2)
            }
            // The oldest need no semicolon, also where letters follow.
            return Self.oldEntities.first { name.hasPrefix($0) }.flatMap { old in
                Self.entities[old].map { ($0, old.utf8.count + 1) }
            }
        }
        let isHex = rest.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = rest.dropFirst(isHex ? 2 : 1).prefix {
            SecretNames.isDigit($0) || isHex && (0x61...0x66).contains($0 | 0x20)
        }
        guard
            let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10)
                .flatMap(Unicode.Scalar.init)
        else { return nil }
        let isEnded = digits.endIndex < bytes.count && bytes[digits.endIndex] == UInt8(ascii: ";")
        return (scalar, digits.endIndex + (isEnded ? 2 : 1) - start)
    }

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "apos": "'", "bsol": "\\", "colon": ":", "comma": ",", "commat": "@",
        "equals": "=", "gt": ">", "lbrace": "{", "lbrack": "[", "lcub": "{", "lowbar": "_",
        "lpar": "(", "lsqb": "[", "lt": "<", "nbsp": " ", "newline": "\n",
        "nonbreakingspace": " ", "num": "#", "percnt": "%", "period": ".", "plus": "+",
        "quest": "?", "quot": "\"", "rbrace": "}", "rbrack": "]", "rcub": "}", "rpar": ")",
        "rsqb": "]", "semi": ";", "sol": "/", "tab": "\t", "underbar": "_",
    ]
    private static let oldEntities = ["amp", "gt", "lt", "nbsp", "quot"]

    private func hex(_ digits: Range<Int>) -> UInt32? {
        guard digits.upperBound <= bytes.count else { return nil }
        var number: UInt32 = 0
        for digit in bytes[digits] {
            switch digit {
            case 0x30...0x39: number = number << 4 | UInt32(digit - 0x30)
            case 0x41...0x46, 0x61...0x66: number = number << 4 | UInt32((digit | 0x20) - 0x57)
            default: return nil
            }
        }
        return number
    }
}
