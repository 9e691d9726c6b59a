import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ManualSchedulerTests {
    private let manual = ManualScheduler()
    private let log = Log<Int>()

    @Test func `runs nothing by itself`() async {
        Promise.fulfilled(1).then(on: manual.scheduler) { [log] (value: Int) in log.add(value) }
        await drained()
        #expect(log.entries.isEmpty && manual.count == 1)
    }

    @Test func `runs one job after the other`() {
        for number in 1...3 {
            Promise.fulfilled(number).then(on: manual.scheduler) { [log] (value: Int) in
                log.add(value)
            }
        }
        #expect(manual.runNext())
        #expect(log.entries == [1] && manual.count == 2)
        #expect(manual.run() == 2)
        #expect(!manual.runNext())
        #expect(log.entries == [1, 2, 3])
    }

    @Test func `stops at its limit`() {
        for _ in 0..<5 { Promise.fulfilled(1).then(on: manual.scheduler) { $0 } }
        #expect(manual.run(limit: 2) == 2)
        #expect(manual.count == 3)
    }
}
