#if canImport(Darwin) || LARDER_URLSESSION
import Testing

@testable import LarderClient

@Suite struct URLSessionTurnsTests {
    @Test func `so many are under way, and others come in their order`() {
        let turns = URLSessionTurns(2)
        let started = Seen<Int>()
        for index in 0..<6 {
            #expect(turns.makeID() == index + 1)
            turns.enter(index + 1) { started.note(index + 1) }
        }
        #expect(started.values == [1, 2])
        turns.leave(2)
        #expect(started.values == [1, 2, 3])
        // One that waits is given up, and takes nobody's turn.
        turns.leave(4)
        turns.leave(1)
        turns.leave(3)
        #expect(started.values == [1, 2, 3, 5, 6])
        turns.leave(5)
        turns.leave(6)
        let id = turns.makeID()
        turns.enter(id) { started.note(id) }
        turns.enter(turns.makeID()) { started.note(0) }
        turns.enter(turns.makeID()) { started.note(-1) }
        #expect(started.values == [1, 2, 3, 5, 6, 7, 0])
    }

    @Test func `one that begins may end at once`() {
        let turns = URLSessionTurns(1)
        let started = Seen<Int>()
        for id in 1...100 {
            turns.enter(id) {
                started.note(id)
                turns.leave(id)
            }
        }
        #expect(started.values == Array(1...100))
    }
}
#endif
