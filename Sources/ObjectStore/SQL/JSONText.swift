/// JSON written for SQLite's own JSON functions.
enum JSONText {
    /// An array of values, nil where one of them is not to be had in JSON exactly.
    static func array(_ values: [SQLValue]) -> String? {
        var text = "["
        for value in values {
            if text.utf8.count > 1 { text += "," }
            switch value {
            case .integer(let integer): text += String(integer)
            // SQLite 3.40 ends a JSON string at its first NUL.
            case .text(let string) where string.utf8.contains(0): return nil
            case .text(let string): text += self.string(string)
            case .null, .real, .blob: return nil
            }
        }
        return text + "]"
    }

    /// An array of any values, each as `ListedValue` writes it.
    static func arrayOfListed(_ values: [SQLValue]) -> String {
        "[" + values.map { string(ListedValue.text(of: $0)) }.joined(separator: ",") + "]"
    }

    /// An array of whole numbers.
    static func array(_ numbers: [Int64]) -> String {
        // A sign, 19 digits and a comma.
        String(unsafeUninitializedCapacity: numbers.count * 21 + 2) { buffer in
            var count = 0
            func append(_ byte: UInt8) {
                buffer[count] = byte
                count += 1
            }
            append(UInt8(ascii: "["))
            for number in numbers {
                if count > 1 { append(UInt8(ascii: ",")) }
                if number < 0 { append(UInt8(ascii: "-")) }
                let start = count
                var rest = number.magnitude
                repeat {
                    append(UInt8(ascii: "0") + UInt8(rest % 10))
                    rest /= 10
                } while rest > 0
                buffer[start..<count].reverse()
            }
            append(UInt8(ascii: "]"))
            return count
        }
    }

    /// A string with its quotation marks.
    static func string(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                text += "\\"
                text.unicodeScalars.append(scalar)
            case ..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
