/// Random numbers that come again with the same seed (SplitMix64, Steele and others, 2014).
struct Generator {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(bound, 1)))
    }

    /// Some of the numbers from 1 to `total`, in order, the last among them; all where there are no
    /// more than `count`.
    mutating func pick(_ count: Int, upTo total: Int) -> [Int] {
        guard total > count else { return Array(1..<(max(total, 0) + 1)) }
        var picked: Set<Int> = [total]
        while picked.count < count { picked.insert(1 + next(below: total)) }
        return picked.sorted()
    }
}
