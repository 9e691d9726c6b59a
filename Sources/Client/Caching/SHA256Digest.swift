/// The hash of FIPS 180-4, section 6.2, by which caches know URLs and credentials without holding them.
struct SHA256Digest {
    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
        0x5BE0_CD19,
    ]

    /// Returns the 32 bytes that stand for the ones given.
    static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256Digest()
        var padded = bytes + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += bigEndian(UInt64(bytes.count) * 8)
        var block = [UInt32](repeating: 0, count: 64)
        for start in stride(from: 0, to: padded.count, by: 64) {
            for index in 0..<16 {
                let at = start + index * 4
                block[index] =
                    UInt32(padded[at]) << 24 | UInt32(padded[at + 1]) << 16
                    | UInt32(padded[at + 2]) << 8 | UInt32(padded[at + 3])
            }
            hash.take(&block)
        }
        return hash.state.flatMap(bigEndian)
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    private mutating func take(_ block: inout [UInt32]) {
        for index in 16..<64 {
            let (early, late) = (block[index - 15], block[index - 2])
            let small = Self.rotated(early, 7) ^ Self.rotated(early, 18) ^ early >> 3
            let large = Self.rotated(late, 17) ^ Self.rotated(late, 19) ^ late >> 10
            block[index] = block[index - 16] &+ small &+ block[index - 7] &+ large
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let mix = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
            let first = h &+ mix &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ block[index]
            let turn = Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)
            let second = turn &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = primes(64).map { fraction(ofCubeRootOf: $0) }

    private static func primes(_ count: Int) -> [UInt64] {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < count {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes
    }

    /// By whole numbers alone: the largest root whose cube is not above the number times 2^96.
    private static func fraction(ofCubeRootOf number: UInt64) -> UInt32 {
        var root: UInt64 = 0
        for bit in (0..<36).reversed() {
            let next = root | 1 << UInt64(bit)
            // A root of up to 36 bits has a cube of up to 108.
            let square = next.multipliedFullWidth(by: next)
            let low = square.low.multipliedFullWidth(by: next)
            let high = square.high &* next &+ low.high
            if (high, low.low) <= (number << 32, 0) { root = next }
        }
        return UInt32(truncatingIfNeeded: root)
    }
}
