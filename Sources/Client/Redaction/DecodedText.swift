/// A text from which one kind of escapes after the other has been taken, and where in the source
/// each of its bytes was.
struct DecodedText {
    /// A way to write a text within another one, by the byte that its escapes begin with.
    enum Escape: UInt8 {
        case percent = 0x25
        case entity = 0x26
        case backslash = 0x5C
    }

    let bytes: [UInt8]
    /// The index in the source of what each byte was, and the end; empty where the bytes are the
    /// source.
    private var places: [Int] = []

    /// The source itself.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private init(bytes: [UInt8], places: [Int]) { (self.bytes, self.places) = (bytes, places) }

    /// Whether it is the source.
    var isSource: Bool { places.isEmpty }

    /// Returns the place in the source of some bytes.
    func place(of range: Range<Int>) -> Range<Int> {
        isSource ? range : places[range.lowerBound]..<places[range.upperBound]
    }

    /// Returns a part without what is escaped in one way; nil where nothing is.
    func decoded(_ range: Range<Int>, _ escape: Escape) -> DecodedText? {
        guard bytes[range].contains(escape.rawValue) else { return nil }
        var (plain, origins): ([UInt8], [Int]) = ([], [])
        plain.reserveCapacity(range.count)
        origins.reserveCapacity(range.count + 1)
        var index = range.lowerBound
        while index < range.upperBound {
            let place = isSource ? index : places[index]
            let byte = bytes[index]
            if byte == escape.rawValue, let sign = sign(at: index) {
                // As in the source itself, nobody sees a NUL.
                for byte in sign.bytes where byte != 0 {
                    plain.append(byte)
                    origins.append(place)
                }
                index += sign.count
            } else {
                plain.append(byte)
                origins.append(place)
                index += 1
            }
        }
        guard plain.count < range.count else { return nil }
        origins.append(isSource ? range.upperBound : places[range.upperBound])
        return DecodedText(bytes: plain, places: origins)
    }

    // MARK: - Escapes

    /// A sign, and the number of bytes that it is written in.
    typealias Sign = (bytes: [UInt8], count: Int)

    /// Returns the sign that is escaped at an index; nil where none is.
    func sign(at index: Int) -> Sign? {
        guard index + 1 < bytes.count else { return nil }
        let next = bytes[index + 1]
        switch bytes[index] {
        case Escape.percent.rawValue:
            return hex(index + 1..<index + 3).map { ([UInt8($0)], 3) }
        case Escape.entity.rawValue:
            return entity(at: index + 1).map { (Array(String($0.scalar).utf8), $0.count) }
        case Escape.backslash.rawValue: break
        default: return nil
        }
        switch next {
        case UInt8(ascii: "u"): return scalar(index + 2..<index + 6)
        case UInt8(ascii: "x"): return scalar(index + 2..<index + 4)
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case 0x22, 0x27, 0x2F, 0x5C: return ([next], 2)
        default: return nil
        }
    }

    /// The sign of some digits behind a backslash and a letter.
    private func scalar(_ digits: Range<Int>) -> Sign? {
        hex(digits).flatMap(Unicode.Scalar.init).map { (Array(String($0).utf8), digits.count + 2) }
    }

    /// The sign of an entity, whose `&` is in front of an index.
    private func entity(at start: Int) -> (scalar: Unicode.Scalar, count: Int)? {
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
