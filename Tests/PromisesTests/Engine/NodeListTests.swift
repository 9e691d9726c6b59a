import Testing

@testable import LarderPromises

struct NodeListTests {
    private let nodes = (0..<4).map { _ in Node(site: CreationSite()) }

    private func list(_ indices: [Int]) -> NodeList {
        var list = NodeList()
        for index in indices { list.append(nodes[index]) }
        return list
    }

    /// Empties a list and returns the places of its nodes.
    private func drain(_ list: inout NodeList) -> [Int] {
        var order: [Int] = []
        while let entry = list.popFirst() {
            let node = entry.takeRetainedValue()
            order.append(nodes.firstIndex { $0 === node } ?? -1)
        }
        return order
    }

    @Test func `first in, first out`() {
        var list = list([2, 0, 3])
        #expect(!list.isEmpty)
        #expect(drain(&list) == [2, 0, 3])
        #expect(list.isEmpty && list.popFirst() == nil)
    }

    @Test(arguments: 0..<4)
    func `removes a node from wherever it stands`(index: Int) {
        var list = list([0, 1, 2, 3])
        list.remove(nodes[index]).release()
        #expect(drain(&list) == (0..<4).filter { $0 != index })
    }

    @Test func `can be filled again after the last was removed`() {
        var list = list([1])
        list.remove(nodes[1]).release()
        #expect(list.isEmpty)
        list.append(nodes[3])
        list.append(nodes[0])
        #expect(drain(&list) == [3, 0])
    }

    @Test func `holds its nodes`() {
        var list = NodeList()
        weak var held: Node?
        do {
            let node = Node(site: CreationSite())
            held = node
            list.append(node)
        }
        #expect(held != nil)
        list.popFirst()?.release()
        #expect(held == nil)
    }
}

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
