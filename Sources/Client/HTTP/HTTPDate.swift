import Foundation
import LarderObjectStore

/// The dates of HTTP (RFC 9110, section 5.6.7) in their three forms, and in no other, as what can't be read has
/// expired.
///
/// Upper and lower case are the same, as RFC 9111, section 4.2 asks of caches.
enum HTTPDate {
    /// Returns the time that the text says; nil where it has none of the forms.
    static func date(_ text: String) -> Date? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let parts: (day: String, month: String, year: String, time: String)?
        switch words.count {
        case 6 where isName(words[0], of: shortDays, then: ","):
            parts = fixed(words)
        case 4 where isName(words[0], of: longDays, then: ","):
            parts = old(words)
        case 5, 6:
            parts = plain(words)
        default:
            parts = nil
        }
        guard let parts, isDigits(parts.day, 2), isDigits(parts.year, 4),
            let month = months.firstIndex(of: parts.month.lowercased()), isTime(parts.time),
            let seconds = RFC1123.date(
                "\(parts.day) \(monthNames[month]) \(parts.year) \(parts.time) GMT")
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private typealias Parts = (day: String, month: String, year: String, time: String)

    /// The form of today, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixed(_ words: [String]) -> Parts? {
        guard words[5].lowercased() == "gmt" else { return nil }
        return (words[1], words[2], words[3], words[4])
    }

    /// An older form, such as `Sunday, 06-Nov-94 08:49:37 GMT`; a year more than fifty ahead is one of the last century.
    private static func old(_ words: [String]) -> Parts? {
        let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard words[3].lowercased() == "gmt", date.count == 3, isDigits(date[2], 2),
            let year = Int(date[2])
        else { return nil }
        let now = Calendar(identifier: .gregorian).component(.year, from: Date())
        let century = now / 100 * 100
        let full = century + year > now + 50 ? century + year - 100 : century + year
        return (date[0], date[1], "\(full)", words[2])
    }

    /// The form of C, such as `Sun Nov  6 08:49:37 1994`.
    private static func plain(_ words: [String]) -> Parts? {
        guard isName(words[0], of: shortDays, then: "") else { return nil }
        if words.count == 6 {
            guard words[2].isEmpty, isDigits(words[3], 1) else { return nil }
            return ("0" + words[3], words[1], words[5], words[4])
        }
        return (words[2], words[1], words[4], words[3])
    }

    private static let shortDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longDays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let months = monthNames.map { $0.lowercased() }

    private static func isName(_ word: String, of names: [String], then mark: String) -> Bool {
        word.hasSuffix(mark) && names.contains(word.dropLast(mark.count).lowercased())
    }

    private static func isDigits(_ text: some StringProtocol, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { isDigits($0, 2) }
    }
}
