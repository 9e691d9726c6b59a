import Foundation

/// The rules of RFC 6265bis once more, as its text tells them: slow, with one list and no index.
struct CookieRules {
    struct Record: Equatable {
        var name = ""
        var value = ""
        var domain = ""
        var path = ""
        /// Seconds since 1970; nil where the cookie is not persistent.
        var expiry: Double?
        var isHostOnly = false
        var isSecure = false
        var isHTTPOnly = false
        var sameSite = "Default"
        var creation = 0
        var access = 0
    }

    struct Place {
        var scheme = "http"
        var host = ""
        var path = "/"
    }

    var store: [Record] = []
    let suffixes: [String]
    let (limit, domainLimit): (Int, Int)
    private var event = 0

    init(suffixes: [String], limit: Int, domainLimit: Int) {
        self.suffixes = suffixes
        (self.limit, self.domainLimit) = (limit, domainLimit)
    }

    // MARK: - 5.1.3 and 5.1.4

    static func domainMatches(_ string: String, _ domain: String) -> Bool {
        if string == domain { return true }
        let isName = string.contains { $0.isLetter } && !string.contains("[")
        return string.hasSuffix(domain) && string.dropLast(domain.count).last == "." && isName
    }

    static func defaultPath(of path: String) -> String {
        if path.first != "/" { return "/" }
        if path.filter({ $0 == "/" }).count == 1 { return "/" }
        var path = path
        while path.last != "/" { path.removeLast() }
        path.removeLast()
        return path
    }

    /// By bytes: an accent behind a slash makes no other character of it.
    static func pathMatches(_ request: String, _ cookie: String) -> Bool {
        let (request, cookie) = (Array(request.utf8), Array(cookie.utf8))
        if request == cookie { return true }
        guard request.starts(with: cookie) else { return false }
        return cookie.last == UInt8(ascii: "/")
            || request.dropFirst(cookie.count).first == UInt8(ascii: "/")
    }

    // MARK: - publicsuffix.org: the algorithm

    func isPublicSuffix(_ domain: String) -> Bool {
        Self.isPublicSuffix(domain, by: suffixes)
    }

    static func isPublicSuffix(_ domain: String, by rules: [String]) -> Bool {
        let labels = domain.split(separator: ".").map(String.init)
        let matching = rules.filter { rule in
            let parts = rule.drop { $0 == "!" }.split(separator: ".")
            return parts.count <= labels.count
                && zip(parts.reversed(), labels.reversed()).allSatisfy { $0 == "*" || $0 == $1 }
        }
        if let exception = matching.first(where: { $0.hasPrefix("!") }) {
            return exception.split(separator: ".").count - 1 == labels.count
        }
        let longest = matching.map { $0.split(separator: ".").count }.max() ?? 1
        // Not of the algorithm: what all suffixes of a kind are below.
        return longest == labels.count || rules.contains("*." + domain)
    }

    // MARK: - 5.6

    private struct Attribute {
        var name: String
        var text = ""
        var time = 0.0
    }

    private static func attributes(_ text: String, _ now: Double) -> [Attribute] {
        var list: [Attribute] = []
        for part in text.components(separatedBy: ";") {
            var name = part
            var value = ""
            if let sign = part.range(of: "=") {
                name = String(part[..<sign.lowerBound])
                value = String(part[sign.upperBound...])
            }
            (name, value) = (trim(name), trim(value))
            if value.utf8.count > 1024 { continue }
            switch name.lowercased() {
            case "expires":
                guard let time = time(value) else { continue }
                list.append(Attribute(name: "Expires", time: min(time, now + 400 * 86400)))
            case "max-age":
                guard value.wholeMatch(of: /-?[0-9]+/) != nil else { continue }
                if value.hasPrefix("-") || value.allSatisfy({ $0 == "0" }) {
                    list.append(Attribute(name: "Max-Age", time: -.infinity))
                } else {
                    let delta = min(Double(value) ?? 0, 400 * 86400)
                    list.append(Attribute(name: "Max-Age", time: now + delta))
                }
            case "domain":
                let domain = value.hasPrefix(".") ? String(value.dropFirst()) : value
                list.append(Attribute(name: "Domain", text: domain.lowercased()))
            case "path":
                list.append(
                    Attribute(name: "Path", text: value.unicodeScalars.first == "/" ? value : ""))
            case "secure": list.append(Attribute(name: "Secure"))
            case "httponly": list.append(Attribute(name: "HttpOnly"))
            case "samesite":
                let known = ["none": "None", "strict": "Strict", "lax": "Lax"]
                list.append(
                    Attribute(name: "SameSite", text: known[value.lowercased()] ?? "Default"))
            default: continue
            }
        }
        return list
    }

    private static func trim(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }

    // MARK: - 5.1.1

    static func time(_ text: String) -> Double? {
        let separators = text.split { character in
            guard let byte = character.asciiValue, character.utf8.count == 1 else { return false }
            return byte == 9 || (0x20...0x2F).contains(byte) || (0x3B...0x40).contains(byte)
                || (0x5B...0x60).contains(byte) || (0x7B...0x7E).contains(byte)
        }
        var clock: [Int]?
        var (day, month, year): (Int?, Int?, Int?)
        let names = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        for part in separators.map(String.init) {
            if clock == nil,
                let match = part.firstMatch(
                    of: /^([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})([^0-9]|$)/)
            {
                clock = [Int(match.1) ?? 99, Int(match.2) ?? 99, Int(match.3) ?? 99]
            } else if day == nil, let match = part.firstMatch(of: /^([0-9]{1,2})([^0-9]|$)/) {
                day = Int(match.1)
            } else if month == nil,
                let index = names.firstIndex(where: { part.lowercased().hasPrefix($0) })
            {
                month = index + 1
            } else if year == nil, let match = part.firstMatch(of: /^([0-9]{2,4})([^0-9]|$)/) {
                year = Int(match.1)
            }
        }
        guard let clock, let day, let month, var year else { return nil }
        if year >= 70, year <= 99 { year += 1900 }
        if year >= 0, year <= 69 { year += 2000 }
        guard day >= 1, day <= 31, year >= 1601, clock[0] <= 23, clock[1] <= 59, clock[2] <= 59
        else { return nil }
        // The days one by one, from a day that is known.
        var lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        func isLeap(_ year: Int) -> Bool {
            year % 400 == 0 || year % 4 == 0 && year % 100 != 0
        }
        if isLeap(year) { lengths[1] = 29 }
        guard day <= lengths[month - 1] else { return nil }
        var days = lengths[..<(month - 1)].reduce(0, +) + day - 1
        if year >= 1970 {
            for year in 1970..<year { days += isLeap(year) ? 366 : 365 }
        } else {
            for year in year..<1970 { days -= isLeap(year) ? 366 : 365 }
        }
        return Double(days) * 86400 + Double(clock[0] * 3600 + clock[1] * 60 + clock[2])
    }

    // MARK: - 5.7

    /// Takes a field; says whether it was not ignored.
    mutating func receive(_ field: String, from place: Place, at now: Double) -> Bool {
        evictExpired(now)
        let isTaken = take(field, from: place, at: now)
        evictExpired(now)
        evictExcess()
        return isTaken
    }

    private mutating func take(_ field: String, from place: Place, at now: Double) -> Bool {
        if field.unicodeScalars.contains(where: {
            $0.value < 0x20 && $0.value != 9 || $0.value == 0x7F
        }) {
            return false
        }
        var pair = field
        var rest = ""
        if let end = field.range(of: ";") {
            pair = String(field[..<end.lowerBound])
            rest = String(field[end.upperBound...])
        }
        var new = Record()
        if let sign = pair.range(of: "=") {
            new.name = Self.trim(String(pair[..<sign.lowerBound]))
            new.value = Self.trim(String(pair[sign.upperBound...]))
        } else {
            new.value = Self.trim(pair)
        }
        if new.name.utf8.count + new.value.utf8.count > 4096 { return false }
        if new.name.isEmpty, new.value.isEmpty { return false }
        let attributes = Self.attributes(rest, now)
        func last(_ name: String) -> Attribute? { attributes.last { $0.name == name } }
        new.expiry = (last("Max-Age") ?? last("Expires"))?.time
        var domain = last("Domain")?.text ?? ""
        if !domain.unicodeScalars.allSatisfy(\.isASCII) { return false }
        if !domain.isEmpty, isPublicSuffix(domain) {
            if domain != place.host { return false }
            domain = ""
        }
        if domain.isEmpty {
            new.isHostOnly = true
            new.domain = place.host
        } else {
            if !Self.domainMatches(place.host, domain) { return false }
            new.domain = domain
        }
        let path = last("Path")?.text ?? ""
        new.path = path.isEmpty ? Self.defaultPath(of: place.path) : path
        new.isSecure = last("Secure") != nil
        if new.isSecure, place.scheme != "https" { return false }
        new.isHTTPOnly = last("HttpOnly") != nil
        if !new.isSecure, place.scheme != "https" {
            let isHidden = store.contains { old in
                old.name == new.name && old.isSecure
                    && (Self.domainMatches(old.domain, new.domain)
                        || Self.domainMatches(new.domain, old.domain))
                    && Self.pathMatches(new.path, old.path)
            }
            if isHidden { return false }
        }
        new.sameSite = last("SameSite")?.text ?? "Default"
        if new.sameSite == "None", !new.isSecure { return false }
        let name = new.name.lowercased()
        if name.hasPrefix("__secure-"), !new.isSecure { return false }
        if name.hasPrefix("__host-"),
            !new.isSecure || !new.isHostOnly || last("Path") == nil || new.path != "/"
        {
            return false
        }
        let value = new.value.lowercased()
        if name.isEmpty, value.hasPrefix("__secure-") || value.hasPrefix("__host-") { return false }
        event += 1
        (new.creation, new.access) = (event, event)
        if let index = store.firstIndex(where: {
            $0.name == new.name && $0.domain == new.domain && $0.isHostOnly == new.isHostOnly
                && $0.path == new.path
        }) {
            new.creation = store[index].creation
            store.remove(at: index)
        }
        store.append(new)
        return true
    }

    mutating func evictExpired(_ now: Double) {
        store.removeAll { $0.expiry.map { $0 < now } ?? false }
    }

    private mutating func evictExcess() {
        while let victim = victim() { store.removeAll { $0.creation == victim.creation } }
    }

    /// The one that goes first, by its class and then by its last access.
    private func victim() -> Record? {
        let crowded = store.filter { record in
            store.count { $0.domain == record.domain } > domainLimit
        }
        let all = store.count > limit ? store : []
        for candidates in [crowded.filter { !$0.isSecure }, crowded, all] {
            let oldest = candidates.min {
                $0.access == $1.access ? $0.creation < $1.creation : $0.access < $1.access
            }
            if let oldest { return oldest }
        }
        return nil
    }

    // MARK: - 5.8

    mutating func request(_ place: Place, at now: Double) -> String? {
        evictExpired(now)
        event += 1
        var list: [Record] = []
        for index in store.indices {
            let record = store[index]
            let isOfHost =
                record.isHostOnly
                ? place.host == record.domain : Self.domainMatches(place.host, record.domain)
            guard isOfHost, Self.pathMatches(place.path, record.path),
                !record.isSecure || place.scheme == "https"
            else { continue }
            store[index].access = event
            list.append(record)
        }
        list.sort {
            $0.path.count == $1.path.count
                ? $0.creation < $1.creation : $0.path.count > $1.path.count
        }
        let texts = list.map { ($0.name.isEmpty ? "" : $0.name + "=") + $0.value }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    mutating func endSession() {
        store.removeAll { $0.expiry == nil }
    }
}
