extension Duration {
    /// The duration in milliseconds, rounded up, and within 0 and 24 days, which is what a C `int`
    /// can count.
    package var wholeMilliseconds: Int {
        guard self > .zero else { return 0 }
        guard self < .seconds(2_000_000) else { return 2_000_000_000 }
        let (seconds, attoseconds) = components
        let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int(milliseconds)
    }
}
