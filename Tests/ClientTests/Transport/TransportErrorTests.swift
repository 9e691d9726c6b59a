import LarderClient
import Testing

@Suite struct TransportErrorTests {
    @Test func `a description names kind, sentence and number`() {
        let error = TransportError(.timedOut, "Too late.", code: 28)
        #expect("\(error)" == "timedOut: Too late. (28)")
        #expect("\(TransportError(.cancelled, "Stopped."))" == "cancelled: Stopped.")
    }

    @Test func `kinds are equal by name`() {
        #expect(TransportError.Kind.timedOut == .timedOut)
        #expect(TransportError.Kind.timedOut != .cancelled)
        #expect(TransportError(.timedOut, "a") != TransportError(.timedOut, "b"))
    }
}
