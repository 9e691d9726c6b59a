#if !canImport(Darwin)
extension CurlHandle {
    /// Whether the exchange goes on, of which so many bytes have moved.
    func goesOn(moved: Int64) -> Bool {
        // To connect has a bound of its own.
        guard sendings > 0 || !noticesSendings, let time = silence.reached(moved: moved) else {
            return true
        }
        refusal = .silent(for: time)
        return false
    }

    /// Tells who wants to know how many bytes have moved; returns whether the exchange is to go on.
    func report(_ expected: Int64, _ received: Int64, _ toSend: Int64, _ sent: Int64) -> Bool {
        guard goesOn(moved: received + sent) else { return false }
        guard let onProgress = exchange?.request.onProgress else { return true }
        CurlStandstill.interrupting {
            onProgress(
                TransferProgress(
                    sent: sent,
                    expectedToSend: toSend > 0 ? toSend : nil,
                    received: received,
                    expectedToReceive: expected > 0 ? expected : nil))
        }
        return true
    }
}
#endif
