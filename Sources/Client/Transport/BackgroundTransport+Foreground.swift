#if !canImport(Darwin)
extension BackgroundTransport {
    /// Nothing, as the system makes no exchanges while a process does not run.
    static func exchanger(
        _ identifier: String, _ configuration: Configuration,
        _ onEnd: @escaping @Sendable (BackgroundTransfer) -> Void
    ) -> (any BackgroundExchanger)? { nil }
}
#endif
