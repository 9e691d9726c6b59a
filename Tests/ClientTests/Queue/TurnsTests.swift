import Testing

@testable import LarderClient

@Suite struct TurnsTests {
    private func order(_ arrival: Int, _ priority: RequestPriority = .normal) -> TurnOrder {
        TurnOrder(priority: priority, arrival: arrival)
    }

    @Test func `what has left takes no room, however long others wait`() {
        var turns = Turns(limit: 2, hostLimit: 1)
        turns.add(0, for: "dead", order(0))
        #expect(turns.next() == 0)
        for place in 1...10_000 {
            turns.add(place, for: "dead", order(place))
            if place > 10 { turns.remove(place) }
        }
        #expect(turns.waitingCount == 10)
        #expect(turns.entryCount <= 65)
        #expect(turns.next() == nil)
    }

    @Test func `what has got another rank often takes no room either`() {
        var turns = Turns(limit: 1, hostLimit: 1)
        turns.add(0, for: "a", order(0))
        #expect(turns.next() == 0)
        turns.add(1, for: "a", order(1, .init(rawValue: 0)))
        turns.add(2, for: "a", order(2, .init(rawValue: 500)))
        for rank in 1...1000 { turns.raise(1, to: order(1, .init(rawValue: rank))) }
        #expect(turns.entryCount <= 65)
        turns.remove(0)
        #expect(turns.next() == 1)
        turns.remove(1)
        #expect(turns.next() == 2)
    }

    @Test func `nothing is kept of hosts that nobody waits for`() {
        var turns = Turns(limit: 10, hostLimit: 1)
        for place in 0..<1000 {
            turns.add(place, for: "host\(place)", order(place))
            #expect(turns.next() == place)
            turns.remove(place)
        }
        #expect(turns.hostCount == 0 && turns.entryCount == 0)
    }

    @Test func `a place at another host is kept where there is room`() {
        var turns = Turns(limit: 2, hostLimit: 1)
        for (place, host) in ["a", "b", "a", "c"].enumerated() {
            turns.add(place, for: host, order(place))
        }
        #expect(turns.next() == 0 && turns.next() == 1 && turns.next() == nil)
        let (isFull, isFree) = (turns.move(0, to: "b"), turns.move(1, to: "c"))
        #expect(!isFull && isFree)
        #expect(turns.next() == 0)
    }
}
