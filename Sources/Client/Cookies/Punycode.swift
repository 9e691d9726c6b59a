/// Labels of names outside ASCII as DNS has them (RFC 3492).
enum Punycode {
    /// Returns the label as it is where it is ASCII, else its A-label.
    static func aLabel(_ label: Substring) -> String {
        let scalars = label.unicodeScalars.map(\.value)
        guard !scalars.allSatisfy({ $0 < 0x80 }) else { return String(label) }
        var output = scalars.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
        let basicCount = output.count
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias, handled) = (UInt32(0x80), 0, 72, basicCount)
        while handled < scalars.count {
            // The smallest that is not handled yet; the guard above and the count say that there is one.
            let smallest = scalars.filter { $0 >= next }.min() ?? next
            delta += Int(smallest - next) * (handled + 1)
            next = smallest
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return "xn--" + String(decoding: output, as: UTF8.self)
    }

    /// Writes a number in digits of a base that changes with the place (section 3.3).
    private static func append(_ number: Int, _ bias: Int, to output: inout [UInt8]) {
        var (rest, place) = (number, 36)
        while true {
            let threshold = min(max(place - bias, 1), 26)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            place += 36
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? 0x61 + value : 0x30 + value - 26)
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var bias = 0
        while delta > 35 * 26 / 2 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }
}
