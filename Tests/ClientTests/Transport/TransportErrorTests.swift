import LarderClient
import Testing

@Suite struct TransportErrorTests {
    @Test func `a description is the sentence and the number`() {
        let error = TransportError(.timedOut, "Too late.", code: 28)
        #expect("\(error)" == "Too late. (code 28)")
        #expect("\(TransportError(.cancelled, "Stopped."))" == "Stopped.")
    }

    @Test func `kinds are equal by name`() {
        #expect(TransportError.Reason.timedOut == .timedOut)
        #expect(TransportError.Reason.timedOut != .cancelled)
        #expect(TransportError(.timedOut, "a") != TransportError(.timedOut, "b"))
    }
}
