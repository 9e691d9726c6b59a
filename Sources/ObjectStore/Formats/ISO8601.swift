/// Dates and times as in RFC 3339, and dates alone, read from their bytes.
package enum ISO8601 {
    /// Seconds since the beginning of 2001 (UTC), nil where the text is no such date.
    ///
    /// A time without an offset is taken as UTC; `24:00` and leap seconds are taken as the moment
    /// after.
    static func date(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var reader = Reader(text: text)
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2),
            reader.skip("-"), let day = reader.digits(2), (1...12).contains(month),
            (1...daysInMonth(month, of: year)).contains(day)
        else { return nil }
        let days = daysSince2001(year: year, month: month, day: day)
        if reader.isAtEnd { return Double(days * 86_400) }
        guard reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.digits(2), reader.skip(":"), let minute = reader.digits(2)
        else { return nil }
        var second = 0
        var fraction = 0.0
        if reader.skip(":") {
            guard let value = reader.digits(2) else { return nil }
            second = value
            if reader.skip(".") || reader.skip(",") {
                guard let value = reader.fraction() else { return nil }
                fraction = value
            }
        }
        guard hour < 24 || hour == 24 && minute == 0 && second == 0, minute < 60, second <= 60,
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        return Double(days * 86_400 + hour * 3600 + minute * 60 + second - offset) + fraction
    }

    /// The days of a month of the Gregorian calendar.
    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the Gregorian calendar, counted in years that begin in March.
    static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_791
    }

    /// The date in the Gregorian calendar so many days after the beginning of 2001.
    static func civilDate(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + 730_791
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, day)
    }

    private struct Reader {
        let text: UnsafeBufferPointer<UInt8>
        var position = 0

        var isAtEnd: Bool { position == text.count }

        @inline(__always)
        mutating func digits(_ count: Int) -> Int? {
            guard position &+ count <= text.count else { return nil }
            var value = 0
            for _ in 0..<count {
                let digit = text[position] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                value = value &* 10 &+ Int(digit)
                position &+= 1
            }
            return value
        }

        @inline(__always)
        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: character) else {
                return false
            }
            position &+= 1
            return true
        }

        mutating func fraction() -> Double? {
            var value = 0.0
            var scale = 1.0
            let start = position
            while position < text.count, case let digit = text[position] &- UInt8(ascii: "0"),
                digit < 10
            {
                if scale < 1e15 {
                    value = value * 10 + Double(digit)
                    scale *= 10
                }
                position += 1
            }
            return position == start ? nil : value / scale
        }

        /// Seconds east of UTC; 0 where nothing is said.
        mutating func offset() -> Int? {
            if isAtEnd || skip("Z") || skip("z") { return 0 }
            let sign: Int
            if skip("+") {
                sign = 1
            } else if skip("-") {
                sign = -1
            } else {
                return nil
            }
            guard let hours = digits(2), hours < 24 else { return nil }
            _ = skip(":")
            if isAtEnd { return sign * hours * 3600 }
            guard let minutes = digits(2), minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}

extension ISO8601 {
    /// A date and time in UTC such as `2026-11-21T10:30:00.25Z`, from seconds since the beginning of
    /// 2001; nil for years that four digits don't hold.
    ///
    /// A moment of which the year has four digits only elsewhere on Earth, such as the last second
    /// of 9999 in New York, is written with an offset. The fraction has as many digits as it takes to read the same moment back, at most fifteen.
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
        let inUTC = Moment(secondsSince2001: Int(whole))
        let (offset, zone) =
            inUTC.year < 0 ? (86_340, "+23:59") : inUTC.year > 9999 ? (-86_340, "-23:59") : (0, "Z")
        let moment = offset == 0 ? inUTC : Moment(secondsSince2001: Int(whole) + offset)
        guard (0...9999).contains(moment.year) else { return nil }
        let date = "\(pad(moment.year, 4))-\(pad(moment.month, 2))-\(pad(moment.day, 2))"
        return "\(date)T\(moment.time)\(fraction)\(zone)"
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
