package import Foundation

extension URL {
    /// Creates a URL of text that is one by RFC 3986, but for brackets in its path or query.
    ///
    /// Foundation would encode all of such a part once more, what is encoded already included.
    package init?(reference text: String, relativeTo base: URL? = nil) {
        self.init(string: Self.encodingBrackets(in: text), relativeTo: base)
    }

    /// Writes brackets as their codes, but for those of an address (RFC 3986, section 3.2.2).
    private static func encodingBrackets(in text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") })
        else { return text }
        var start = text.startIndex
        if let authority = text.range(of: "//"),
            !text[..<authority.lowerBound].contains(where: { "/?#".contains($0) })
        {
            start =
                text[authority.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        }
        let rest = text[start...].replacingOccurrences(of: "[", with: "%5B")
            .replacingOccurrences(of: "]", with: "%5D")
        return text[..<start] + rest
    }
}
