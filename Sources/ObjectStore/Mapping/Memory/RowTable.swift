/// The states and sources of the rows that a document has met, by row.
///
/// A hash table with open addressing: each object of a document is looked up in it, so that it has
/// to cost next to nothing. Four neighbouring rows have their slots side by side, within reach of
/// one access to memory. Its multiplier is random, so that no document can be made to collide; it is the
/// process's, as each document has a table for each entity, most of which stay empty.
struct RowTable {
    /// The state of a row, as the document has left it.
    enum State: UInt8 { case referenced, inserted, updated, unchanged, deleted }

    /// The state of a row, and its source.
    struct Object {
        let state: State
        /// A node from 0 on, -1 for nothing, and below that a text: a slot is to stay small.
        private let packedSource: Int32

        init(_ state: State, from source: RowSource = .none) {
            self.state = state
            switch source {
            case .none: packedSource = -1
            case .node(let node): packedSource = Int32(truncatingIfNeeded: node)
            case .text(let text): packedSource = -2 - Int32(truncatingIfNeeded: text)
            }
        }

        /// The source that the row was last written from.
        var source: RowSource {
            switch packedSource {
            case 0...: .node(Int(packedSource))
            case -1: .none
            default: .text(Int(-2 - packedSource))
            }
        }
    }

    private struct Slot {
        var row: Int64 = 0
        var object: Object?
    }

    private static let multiplier = UInt64.random(in: .min ... .max) | 1
    /// The slots of a table that nothing has been put into, which all of them share.
    private static let empty = [Slot](repeating: Slot(), count: 16)

    private let multiplier = Self.multiplier
    private var slots = Self.empty
    private(set) var count = 0

    /// The state and source of a row, nil for nothing; what is known can't be forgotten.
    subscript(row: Int64) -> Object? {
        get { slots[index(of: row)].object }
        set {
            guard let newValue else { return }
            var index = index(of: row)
            if slots[index].object == nil {
                if count >= slots.count / 2 {
                    grow()
                    index = self.index(of: row)
                }
                count += 1
                slots[index].row = row
            }
            slots[index].object = newValue
        }
    }

    /// The rows of which something is known.
    func forEach(_ body: (Int64, Object) -> Void) {
        for slot in slots {
            if let object = slot.object { body(slot.row, object) }
        }
    }

    /// The slot of a row, or the free one where it belongs.
    @inline(__always)
    private func index(of row: Int64) -> Int {
        let hash = UInt64(bitPattern: row >> 2) &* multiplier
        let shift = UInt64(slots.count.leadingZeroBitCount + 3)
        var index = Int(truncatingIfNeeded: hash &>> shift) << 2 | Int(row & 3)
        while slots[index].object != nil, slots[index].row != row {
            index = (index &+ 1) & (slots.count &- 1)
        }
        return index
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 4)
        for slot in old where slot.object != nil { slots[index(of: slot.row)] = slot }
    }
}

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

    /// The rows of which something is known.
    func forEach(_ body: (Int64) -> Void) {
        for (key, word) in zip(keys, states) where word != 0 {
            for row in (0..<8 as Range<Int64>).lazy.map({ key << 3 | $0 })
            where (word >> Self.shift(of: row)) & Self.mask != 0 { body(row) }
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

/// The JSON that a row was last written from, if that says all it holds.
enum RowSource: Equatable {
    /// Nothing that is known.
    case none
    /// A node of the tape that is being read.
    case node(Int)
    /// One of the texts that have been kept of tapes before.
    case text(Int)
}
