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
