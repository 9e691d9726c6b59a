extension ISO8601 {
    /// A date and time in UTC such as `2026-11-21T10:30:00.25Z`, from seconds since the beginning of
    /// 2001; nil for years that four digits don't hold.
    ///
    /// The fraction has as many digits as it takes to read the same moment back, at most fifteen.
    package static func text(of seconds: Double) -> String? {
        guard abs(seconds) < 1e12 else { return nil }
        var whole = seconds.rounded(.down)
        var fraction = ""
        var scale = 1.0
        for count in 0...15 {
            var digits = ((seconds - seconds.rounded(.down)) * scale).rounded()
            whole = seconds.rounded(.down)
            if digits == scale {
                whole += 1
                digits = 0
            }
            if whole + digits / scale == seconds || count == 15 {
                fraction = count == 0 ? "" : ".\(pad(Int(digits), count))"
                break
            }
            scale *= 10
        }
        let moment = Moment(secondsSince2001: Int(whole))
        guard (0...9999).contains(moment.year) else { return nil }
        let date = "\(pad(moment.year, 4))-\(pad(moment.month, 2))-\(pad(moment.day, 2))"
        return "\(date)T\(moment.time)\(fraction)Z"
    }

    /// A moment's parts in UTC.
    struct Moment {
        let year: Int
        let month: Int
        let day: Int
        /// Counted from 0, which is a Sunday.
        let weekday: Int
        /// Such as `10:30:00`.
        let time: String

        init(secondsSince2001 seconds: Int) {
            let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
            let second = seconds - days * 86_400
            (year, month, day) = ISO8601.civilDate(daysSince2001: days)
            // 2001 began on a Monday.
            weekday = ((days + 1) % 7 + 7) % 7
            let parts = [second / 3600, second / 60 % 60, second % 60]
            time = parts.map { ISO8601.pad($0, 2) }.joined(separator: ":")
        }
    }

    /// A number with zeros in front, so many digits long.
    static func pad(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
