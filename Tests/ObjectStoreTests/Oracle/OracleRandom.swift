/// Random choices, the same for the same seed.
struct OracleRandom {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &generator) < percent
    }

    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(elements.count)]
    }

    mutating func shuffle<Element>(_ elements: [Element]) -> [Element] {
        elements.shuffled(using: &generator)
    }
}
