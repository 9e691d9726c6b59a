import Testing

@testable import LarderClient

@Suite struct HeapTests {
    @Test(arguments: 0..<50)
    func `the least comes first, whatever comes and goes`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var heap = Heap<Int>()
        var sorted: [Int] = []
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let number = Int.random(in: 0..<100, using: &random)
                heap.insert(number)
                sorted.append(number)
                sorted.sort()
            case 9 where Bool.random(using: &random):
                heap.filter { $0 % 3 != 0 }
                sorted.removeAll { $0 % 3 == 0 }
            default:
                #expect(heap.popMin() == (sorted.isEmpty ? nil : sorted.removeFirst()))
            }
            #expect(heap.count == sorted.count && heap.isEmpty == sorted.isEmpty)
        }
    }
}
