import Foundation
import HTTPTypes
import LarderObjectStore

/// What tells one version of a resource from each other one (RFC 9110, section 8.8).
enum ResourceVersion {
    /// A response's strong tag, or else its time of change, as a field has it.
    static func validator(in fields: HTTPFields) -> String? {
        strongTag(in: fields) ?? changeTime(in: fields).flatMap(RFC1123.text)
    }

    /// The tag of a response, where it is a strong one.
    static func strongTag(in fields: HTTPFields) -> String? {
        fields[.eTag].flatMap { isStrong($0) ? $0 : nil }
    }

    /// Whether fields have the tag of another version than others have.
    static func isOther(_ fields: HTTPFields, than others: HTTPFields) -> Bool {
        guard let tag = fields[.eTag], let other = others[.eTag] else { return false }
        return opaqueTag(tag) != opaqueTag(other)
    }

    /// A tag as it is compared where a weak one is as good as a strong one (section 8.8.3.2).
    static func opaqueTag(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }

    /// The time of change, unless it is less than a second before the response's `Date`: that may be the time of
    /// two changes.
    static func changeTime(in fields: HTTPFields) -> TimeInterval? {
        guard let text = fields[.lastModified], let modified = RFC1123.date(text) else {
            return nil
        }
        let sent = fields[.date].flatMap(RFC1123.date)
        return sent.map { $0 - modified >= 1 } ?? true ? modified : nil
    }

    /// Section 8.8.3, without weak tags, which `If-Match` and `If-Range` take for no match.
    static func isStrong(_ tag: String) -> Bool {
        let bytes = Array(tag.utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == bytes.first else {
            return false
        }
        return bytes[1..<(bytes.count - 1)].allSatisfy {
            $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"")
        }
            // What stands for bytes that are no text; those could not be sent back.
            && !tag.unicodeScalars.contains("\u{FFFD}")
    }
}
