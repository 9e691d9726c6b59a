/// Elements of which the least is found at once.
struct Heap<Element: Comparable> {
    private var elements: [Element] = []

    var count: Int { elements.count }
    var isEmpty: Bool { elements.isEmpty }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popMin() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let least = elements.first else { return last }
        elements[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < elements.count else { return least }
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < elements[parent] else { return least }
            elements.swapAt(child, parent)
            parent = child
        }
    }

    /// Takes out what does not fit.
    mutating func filter(_ fits: (Element) -> Bool) {
        let rest = elements.filter(fits)
        elements = []
        for element in rest { insert(element) }
    }
}
