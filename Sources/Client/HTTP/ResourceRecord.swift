import Foundation
import HTTPTypes
import LarderObjectStore

/// What is known of a resource whose beginning lies in a file, by which the rest of it is asked for and told.
struct ResourceRecord: Codable {
    /// A digest of the URL, which may be secret.
    private let resource: UInt64
    /// A digest of the URL that has answered, which a redirect may have led to; nil in a record of an earlier
    /// version.
    private let source: UInt64?
    /// What has to hold for the rest to be the rest of it: a strong tag or a time of change (RFC 9110,
    /// section 13.1.5).
    let validator: String
    /// The size of the whole, where the response has said so.
    private let total: Int?

    /// Takes note of a response's resource; nil where the rest of its content can't be asked for.
    ///
    /// - Parameter url: The URL that has answered.
    init?(of resource: UInt64, from url: String, _ head: HTTPResponse, total: Int?) {
        guard head.status != .partialContent, head.headerFields[.contentEncoding] == nil,
            head.headerFields[.acceptRanges]?.lowercased() != "none",
            let validator = ResourceVersion.validator(in: head.headerFields),
            validator.hasPrefix("\"") || !Self.isPersonal(head.headerFields)
        else { return nil }
        (self.resource, self.validator, self.total) = (resource, validator, total)
        source = Self.source(url, of: resource, by: validator)
    }

    /// Whether another one who asks may get another content, which may be of the same time and size.
    private static func isPersonal(_ fields: HTTPFields) -> Bool {
        let names = fields[values: .vary].joined(separator: ",").lowercased()
            .split(whereSeparator: { ", \t".contains($0) })
        return !Set(names).isDisjoint(with: ["authorization", "cookie", "*"])
    }

    /// Reads a record that has been kept; nil where it is one of another resource, or none.
    init?(_ data: Data, of resource: UInt64) {
        guard let record = try? JSONDecoder().decode(Self.self, from: data),
            record.resource == resource
        else { return nil }
        self = record
    }

    /// The size of that of which a part is one; nil where that is something else, or nobody knows it.
    ///
    /// A validator says something of its own URL alone (RFC 9110, section 8.8.3): what another one sends is of
    /// something else, by whatever tag or time.
    ///
    /// A server that does not know `If-Range` sends a part of whatever there is now, and may say so only by the
    /// part's own fields: it has the tag that the whole has (RFC 9110, section 15.3.7).
    func total(of range: ContentRange, from url: String, in fields: HTTPFields) -> Int? {
        guard source ?? resource == Self.source(url, of: resource, by: validator) else {
            return nil
        }
        if validator.hasPrefix("\"") {
            guard fields[.eTag] == validator else { return nil }
        } else {
            let time = fields[.lastModified] ?? validator
            guard RFC1123.date(time) == RFC1123.date(validator),
                ResourceVersion.strongTag(in: fields) == nil
            else { return nil }
        }
        guard let total = range.total ?? total, range.last < total, total == self.total ?? total
        else { return nil }
        return total
    }

    /// The digest of the URL that answers.
    ///
    /// Where a redirect has led to it, its query may sign it anew each time, and counts only beside a time, which many
    /// resources have in common.
    private static func source(
        _ url: String, of resource: UInt64, by validator: String
    ) -> UInt64 {
        let digest = digest(of: url)
        guard digest != resource, validator.hasPrefix("\"") else { return digest }
        // Not that of the URL that was asked, should that have no query.
        return Self.digest(of: url.prefix { $0 != "?" } + "?")
    }

    /// The digest of a URL: FNV-1a, the same in each process.
    static func digest(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
