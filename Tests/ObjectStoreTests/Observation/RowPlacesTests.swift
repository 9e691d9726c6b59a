import Testing

@testable import LarderObjectStore

struct RowPlacesTests {
    @Test func `a list that stays misses what has changed`() {
        let places = RowPlaces(of: [5, 6, 7], in: [5, 6, 7], changed: [6, 9])
        #expect(places.missing == [1])
        #expect(places.old.isEmpty)
    }

    @Test(arguments: 0..<100)
    func `each row is where it was, or missing`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func some(_ count: Int64) -> [Int64] {
            (0..<count).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        }
        var old = some(30)
        var new = some(33)
        if seed % 3 == 0 { old.shuffle(using: &random) }
        if seed % 3 == 1 { new.shuffle(using: &random) }
        if old == new || old.isEmpty { return }
        let changed = Set(some(Int64(seed % 2) * 30).prefix(Int.random(in: 0...20, using: &random)))
        let places = RowPlaces(of: new, in: old, changed: changed)
        #expect(places.old.count == new.count)
        for (place, row) in new.enumerated() {
            let isMissing = changed.contains(row) || !old.contains(row)
            #expect(places.missing.contains(place) == isMissing)
            if old.contains(row) { #expect(old[places.old[place]] == row) }
        }
    }
}
