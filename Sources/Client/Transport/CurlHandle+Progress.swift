#if !canImport(Darwin)
extension CurlHandle {
    /// Tells who wants to know how many bytes have moved.
    func report(_ expected: Int64, _ received: Int64, _ toSend: Int64, _ sent: Int64) {
        guard let onProgress = exchange?.request.onProgress else { return }
        CurlStandstill.interrupting {
            onProgress(
                TransferProgress(
                    sent: sent,
                    expectedToSend: toSend > 0 ? toSend : nil,
                    received: received,
                    expectedToReceive: expected > 0 ? expected : nil))
        }
    }
}
#endif
