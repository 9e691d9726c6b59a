import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MapElementsTests {
    @Test func `transforms every element in order`() async throws {
        #expect(
            try await Promise.fulfilled([1, 2, 3]).mapElements { "\($0)" }.value == ["1", "2", "3"])
        #expect(try await Promise.fulfilled(0..<3).mapElements { $0 * 2 }.value == [0, 2, 4])
        #expect(try await Promise<[Int]>.fulfilled([]).mapElements { $0 }.value == [])
    }

    @Test func `stops at an error`() async {
        let log = Log<Int>()
        let end = Promise.fulfilled([1, 2, 3]).mapElements { (element: Int) -> Int in
            log.add(element)
            if element == 2 { throw Sample.second }
            return element
        }
        #expect(await end.failure as? Sample == .second)
        #expect(log.entries == [1, 2])
    }
}
