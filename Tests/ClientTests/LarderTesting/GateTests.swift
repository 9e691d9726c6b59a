import LarderTesting
import Testing

@Suite struct GateTests {
    @Test func `an open gate lets through at once, as often as one likes`() async throws {
        let gate = Gate()
        #expect(!gate.isOpen)
        gate.open()
        gate.open()
        #expect(gate.isOpen)
        try await gate.wait(atMost: .zero)
        try gate.block(atMost: .zero)
    }

    @Test func `everybody who waits is let through`() async throws {
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await gate.wait() } }
            gate.open()
            try await group.waitForAll()
        }
    }

    @Test func `a task that is cancelled need not wait`() async throws {
        let gate = Gate()
        let task = Task { try await gate.wait() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            try await gate.wait()
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
        gate.open()
        try await gate.wait()
    }

    @Test func `a gate that nobody has any more lets its threads through`() async throws {
        weak var released: Gate?
        do {
            let gate = Gate()
            released = gate
            let task = Task { try await gate.wait() }
            task.cancel()
            _ = await task.result
        }
        #expect(released == nil)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1)])
    func `any time may be the limit`(_ limit: Duration) async throws {
        let gate = Gate()
        gate.open()
        try await gate.wait(atMost: limit)
        try gate.block(atMost: limit)
    }

    @Test func `a gate that stays shut is an error`() async {
        let gate = Gate()
        await #expect(throws: Gate.TimedOut.self) { try await gate.wait(atMost: .milliseconds(1)) }
        #expect(throws: Gate.TimedOut.self) { try gate.block(atMost: .milliseconds(1)) }
    }
}
