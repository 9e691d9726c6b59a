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

    @Test func `a gate that stays shut is an error`() async {
        let gate = Gate()
        await #expect(throws: Gate.TimedOut.self) { try await gate.wait(atMost: .milliseconds(1)) }
        #expect(throws: Gate.TimedOut.self) { try gate.block(atMost: .milliseconds(1)) }
    }
}
