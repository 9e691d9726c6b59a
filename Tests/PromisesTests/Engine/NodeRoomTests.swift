import Testing

@testable import LarderPromises

struct NodeRoomTests {
    private struct Wide: Equatable {
        var first = 1
        var second = 2
        var third = 3
        var fourth = "more than three words"
    }

    /// Puts something into a node and reads it there.
    private func roundTrip<Content>(_ content: Content) -> Content? {
        let node = Node(site: CreationSite())
        node.put(content)
        return node.content(as: Content.self)
    }

    @Test func `keeps small and large values`() {
        #expect(roundTrip(7) == 7)
        #expect(roundTrip("a text") == "a text")
        #expect(roundTrip([1, 2]) == [1, 2])
        #expect(roundTrip(Wide()) == Wide())
        #expect(roundTrip(SIMD8<Int>(repeating: 3)) == SIMD8<Int>(repeating: 3))
        #expect(roundTrip(Int?.none) == .some(nil))
    }

    @Test func `what fits is decided by size and alignment`() {
        #expect(Node.fits(Void.self) && Node.fits(Int.self) && Node.fits(String.self))
        #expect(Node.fits((Int, Int, Int).self))
        #expect(!Node.fits(Wide.self) && !Node.fits((Int, Int, Int, Int).self))
        #expect(!Node.fits(SIMD2<Double>.self))
    }

    @Test func `destroys what it holds, once`() {
        let ends = Log<Int>()
        do {
            let node = Node(site: CreationSite())
            node.put(Witness { ends.add(1) })
            node.clear()
            #expect(ends.entries == [1])
            node.clear()
            node.put((Witness { ends.add(2) }, Wide()))
            #expect(ends.entries == [1])
        }
        #expect(ends.entries == [1, 2])
    }

    @Test func `a value takes the room of a handler`() throws {
        let ends = Log<Int>()
        let node = Node(site: CreationSite())
        let witness = Witness { ends.add(1) }
        node.put(
            Handler<Int, String> { value in
                witness.touch()
                return "\(value)"
            })
        let handler = try node.takeHandler(from: Int.self, to: String.self)
        node.put(try handler(5))
        #expect(node.content(as: String.self) == "5")
        #expect(ends.entries.isEmpty)
    }
}
