/// Dates of HTTP's preferred form (RFC 9110, section 5.6.7) and of e-mail with a numeric offset.
package enum RFC1123 {
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since the beginning of 2001 (UTC), nil where the text is no such date.
    package static func date(_ text: String) -> Double? {
        var parts = text.split(separator: " ")
        if let first = parts.first, first.hasSuffix(",") { parts.removeFirst() }
        guard parts.count == 5, let day = number(parts[0]),
            let month = months.firstIndex(of: String(parts[1])), let year = number(parts[2]),
            (1900...9999).contains(year),
            (1...ISO8601.daysInMonth(month + 1, of: year)).contains(day)
        else { return nil }
        let time = parts[3].split(separator: ":", omittingEmptySubsequences: false).map(number)
        guard (2...3).contains(time.count), let hour = time[0], (0..<24).contains(hour),
            let minute = time[1], (0..<60).contains(minute),
            let second = time.count == 3 ? time[2] : 0, (0...60).contains(second),
            let offset = offset(parts[4])
        else { return nil }
        let days = ISO8601.daysSince2001(year: year, month: month + 1, day: day)
        return Double(days * 86_400 + hour * 3600 + minute * 60 + second - offset)
    }

    private static func offset(_ zone: Substring) -> Int? {
        if zone == "GMT" || zone == "UTC" || zone == "Z" { return 0 }
        guard zone.utf8.count == 5, let sign = zone.first, sign == "+" || sign == "-",
            let digits = number(zone.dropFirst()), digits % 100 < 60
        else { return nil }
        let seconds = digits / 100 * 3600 + digits % 100 * 60
        return sign == "-" ? -seconds : seconds
    }

    /// The value of nothing but digits.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int(text) : nil
    }
}

extension RFC1123 {
    /// A date of HTTP's preferred form such as `Sat, 21 Nov 2026 10:30:00 GMT`, from seconds since
    /// the beginning of 2001, of which whole ones are kept; nil for years that it does not have.
    package static func text(of seconds: Double) -> String? {
        guard abs(seconds) < 1e12 else { return nil }
        let moment = ISO8601.Moment(secondsSince2001: Int(seconds.rounded(.down)))
        guard (1900...9999).contains(moment.year) else { return nil }
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][moment.weekday]
        let month = months[moment.month - 1]
        return
            "\(weekday), \(ISO8601.pad(moment.day, 2)) \(month) \(moment.year) \(moment.time) GMT"
    }
}
