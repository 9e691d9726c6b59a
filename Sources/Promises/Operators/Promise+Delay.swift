extension Promise where Value == Void {
    /// Creates a promise that is fulfilled after a time.
    public static func delay(
        for duration: Duration, clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Void> {
        Promise(fileID: fileID, line: line) { try await clock.sleep(for: duration.sleepable) }
    }
}

extension Promise {
    /// Passes a value on after a time, and an error at once.
    public func delay(
        by duration: Duration, clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        then(on: .immediate, fileID: fileID, line: line) { value in
            Promise(fileID: fileID, line: line) {
                try await clock.sleep(for: duration.sleepable)
                return value
            }
        }
    }
}
