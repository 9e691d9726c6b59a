/// The states of very many rows, in little room.
///
/// A hash table with open addressing, of eight neighbouring rows in a slot: rows that are numbered
/// one after the other take two to three bytes each, and such that lie far apart at most 24. Its
/// multiplier is random, so that no document can be made to collide.
struct RowStates {
    private static let bits = 4
    private static let mask: UInt32 = 0xF

    private let multiplier = UInt64.random(in: .min ... .max) | 1
    private var keys = [Int64](repeating: 0, count: 16)
    /// Four bits a row, which are 0 where nothing is known of it; 0 as a whole in a free slot.
    private var states = [UInt32](repeating: 0, count: 16)
    private var count = 0

    /// The state of a row, nil where nothing became of it; what is known can't be forgotten.
    subscript(row: Int64) -> RowTable.State? {
        get {
            let word = states[index(of: row >> 3)]
            let value = (word >> Self.shift(of: row)) & Self.mask
            return value == 0 ? nil : RowTable.State(rawValue: UInt8(value) - 1)
        }
        set {
            guard let newValue else { return }
            var index = index(of: row >> 3)
            if states[index] == 0 {
                if count >= states.count / 4 * 3 {
                    grow()
                    index = self.index(of: row >> 3)
                }
                count += 1
                keys[index] = row >> 3
            }
            let shift = Self.shift(of: row)
            states[index] =
                states[index] & ~(Self.mask << shift) | (UInt32(newValue.rawValue) + 1) << shift
        }
    }

    private static func shift(of row: Int64) -> UInt32 {
        UInt32(truncatingIfNeeded: row & 7) * UInt32(bits)
    }

    /// The slot of a group of rows, or the free one where it belongs.
    private func index(of key: Int64) -> Int {
        let hash = UInt64(bitPattern: key) &* multiplier
        let shift = UInt64(states.count.leadingZeroBitCount + 1)
        var index = Int(truncatingIfNeeded: hash &>> shift)
        while states[index] != 0, keys[index] != key {
            index = (index &+ 1) & (states.count &- 1)
        }
        return index
    }

    private mutating func grow() {
        let (oldKeys, oldStates) = (keys, states)
        keys = [Int64](repeating: 0, count: oldKeys.count * 2)
        states = [UInt32](repeating: 0, count: oldStates.count * 2)
        for (key, word) in zip(oldKeys, oldStates) where word != 0 {
            let index = index(of: key)
            keys[index] = key
            states[index] = word
        }
    }
}
