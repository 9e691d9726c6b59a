import Testing

@testable import LarderPromises

struct SlotsTests {
    @Test func `are full when the last is filled, and in order`() {
        let slots = Slots<String>(count: 3)
        #expect(slots.fill(2, with: "c") == nil)
        #expect(slots.fill(0, with: "a") == nil)
        #expect(slots.fill(1, with: "b") == ["a", "b", "c"])
    }

    @Test func `keep optional values apart from empty places`() {
        let slots = Slots<Int?>(count: 2)
        #expect(slots.fill(0, with: nil) == nil)
        #expect(slots.fill(1, with: 4) == [nil, 4])
    }
}
