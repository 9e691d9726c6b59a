/// The states and sources of the rows that a document has met, by row.
///
/// A hash table with open addressing: each object of a document is looked up in it, so that it has
/// to cost next to nothing. Four neighbouring rows have their slots side by side, within reach of
/// one access to memory. Its multiplier is random, so that no document can be made to collide.
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

    private let multiplier = UInt64.random(in: .min ... .max) | 1
    private var slots = [Slot](repeating: Slot(), count: 16)
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
