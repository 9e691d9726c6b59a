import Foundation
import HTTPTypes
import LarderObjectStore

/// A response as it lies in a row: its head in lines, and a sum by which damage is found.
struct ResponseRow {
    /// The status, the fields, the part and the variant.
    let head: [UInt8]

    /// The variant.
    let variant: String

    init(_ response: CachedResponse) {
        var lines = response.head.lines
        variant = Self.text(of: response.variant)
        let part = response.part.map { "\($0.first) \($0.total.map(String.init) ?? "*")" } ?? ""
        lines.insert(contentsOf: [part, variant], at: 1)
        head = Array(lines.joined(separator: "\n").utf8)
    }

    /// The text of a variant, the same for the same one.
    static func text(of variant: [String: [UInt8]?]) -> String {
        variant.sorted { $0.key < $1.key }.map { name, digest in
            name + (digest.map { "=" + hexadecimal($0) } ?? "")
        }.joined(separator: " ")
    }

    /// Reads a row's head into a response; nil where it is none.
    static func response(
        head: [UInt8], content: TransportResponse.Content, requested: Double, received: Double,
        uselessAfter: Double?
    ) -> CachedResponse? {
        let lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count >= 3, let part = part(lines[1]), let variant = variant(lines[2]),
            let head = HTTPResponse(lines: lines[..<1] + lines[3...])
        else { return nil }
        return CachedResponse(
            head: head, content: content, part: part,
            requested: Date(timeIntervalSinceReferenceDate: requested),
            received: Date(timeIntervalSinceReferenceDate: received),
            uselessAfter: uselessAfter.map(Date.init(timeIntervalSinceReferenceDate:)),
            variant: variant)
    }

    private static func part(_ line: String) -> CachedResponse.Part?? {
        guard !line.isEmpty else { return .some(nil) }
        let words = line.split(separator: " ")
        guard words.count == 2, let first = Int(words[0]), first >= 0 else { return nil }
        if words[1] == "*" { return CachedResponse.Part(first: first, total: nil) }
        guard let total = Int(words[1]), total >= 0 else { return nil }
        return CachedResponse.Part(first: first, total: total)
    }

    /// Reads the text of a variant; nil where it is none.
    static func variant(_ line: String) -> [String: [UInt8]?]? {
        var variant: [String: [UInt8]?] = [:]
        for word in line.split(separator: " ") {
            let parts = word.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count <= 2 else { return nil }
            guard parts.count == 2 else {
                variant[String(parts[0])] = .some(nil)
                continue
            }
            guard let digest = bytes(parts[1]) else { return nil }
            variant[String(parts[0])] = .some(digest)
        }
        return variant
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index...(index + 1)], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// A sum over a head and a content, by which damage to either is found; not made to resist anybody.
    static func sum(of head: [UInt8], _ content: Data) -> Int64 {
        var sum = ByteSum()
        head.withUnsafeBytes { sum.add($0) }
        content.withUnsafeBytes { sum.add($0) }
        return Int64(bitPattern: sum.value)
    }
}
