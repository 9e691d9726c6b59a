/// The `Set-Cookie` field (RFC 6265), where several have been joined to one.
enum SetCookie {
    /// The fields that a list joined by commas was made of.
    ///
    /// A comma inside of one stands in a date, which goes on with a number and spaces; one between two
    /// is followed by the name of a cookie and an equals sign.
    static func split(_ list: String) -> [String] {
        var fields: [String] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            if !fields.isEmpty, !startsCookie(part) {
                fields[fields.count - 1] += "," + part
            } else {
                fields.append(String(part.drop { $0 == " " }))
            }
        }
        return fields
    }

    private static func startsCookie(_ part: Substring) -> Bool {
        let name = part.drop { $0 == " " }.prefix { $0 != "=" && $0 != ";" }
        return name.endIndex < part.endIndex && part[name.endIndex] == "=" && !name.isEmpty
            && !name.contains(" ")
    }
}
