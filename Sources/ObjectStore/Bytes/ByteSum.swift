/// A sum over bytes by which it is found that they are others.
///
/// It is the same in each process, and not made to resist anybody.
package struct ByteSum: Sendable {
    /// The sum so far.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Adds bytes, and how many they are.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let words = bytes.count / 8
        for index in 0..<words {
            let word = bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            add(UInt64(littleEndian: word))
        }
        for index in (words * 8)..<bytes.count { add(UInt64(bytes[index])) }
        add(UInt64(bytes.count))
    }

    /// Adds a number.
    mutating func add(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        value = (product.high ^ product.low) &+ 0x2545_F491_4F6C_DD1D
    }
}
