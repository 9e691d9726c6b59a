/// A media type, or a range of them such as `image/*` (RFC 9110, section 12.5.1); parameters are left out.
struct MediaRange: Equatable {
    private let type: Substring
    private let subtype: Substring

    init(_ text: String) {
        let essence = text.lowercased().prefix { $0 != ";" }
        let parts = essence.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }
        type = parts[0]
        subtype = parts.count > 1 ? parts[1] : ""
    }

    /// Whether it is the type of one JSON text, such as `application/problem+json`.
    var isJSON: Bool { ["json", "x-json"].contains(subtype) || subtype.hasSuffix("+json") }

    /// Whether a type is one of this range; one that can't be read is of none.
    func contains(_ other: MediaRange) -> Bool {
        guard !other.type.isEmpty, !other.subtype.isEmpty else { return false }
        return (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }
}
