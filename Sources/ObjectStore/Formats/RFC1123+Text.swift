extension RFC1123 {
    /// A date of HTTP's preferred form such as `Sat, 21 Nov 2026 10:30:00 GMT`, from seconds since
    /// the beginning of 2001, of which whole ones are kept; nil for years that it does not have.
    static func text(of seconds: Double) -> String? {
        guard abs(seconds) < 1e12 else { return nil }
        let moment = ISO8601.Moment(secondsSince2001: Int(seconds.rounded(.down)))
        guard (1900...9999).contains(moment.year) else { return nil }
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][moment.weekday]
        let month = months[moment.month - 1]
        return
            "\(weekday), \(ISO8601.pad(moment.day, 2)) \(month) \(moment.year) \(moment.time) GMT"
    }
}
