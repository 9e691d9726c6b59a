import Foundation
import HTTPTypes
import LarderObjectStore

/// A kept response as it lies in a row, with a sum by which damage is found.
struct KeptBytes {
    let head: [UInt8]
    let skeleton: [UInt8]
    let size: Int64
    let sum: Int64

    init(_ kept: KeptResponse) {
        let all = KeptHead(response: kept.head, variant: kept.variant, reading: kept.reading)
        head = all.bytes
        skeleton = kept.skeletonBytes ?? kept.skeleton.bytes
        size = Int64(head.count + skeleton.count + (kept.document?.count ?? 0) + 256)
        sum = Self.sum(of: head, skeleton, kept.document)
    }

    static func sum(of head: [UInt8], _ skeleton: [UInt8], _ document: Data?) -> Int64 {
        ResponseRow.sum(of: head + skeleton, document ?? Data())
    }
}

/// The head of a kept response as it lies in a row: in lines, before which stands what its fields don't say.
struct KeptHead {
    let response: HTTPResponse
    private(set) var variant = KeptVariant()
    private(set) var reading = ""

    init(response: HTTPResponse, variant: KeptVariant, reading: String) {
        (self.response, self.variant, self.reading) = (response, variant, reading)
    }

    /// Reads it; nil where it is none.
    init?(bytes: [UInt8]) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }[...]
        if let line = lines.first, line.hasPrefix(Self.readingMark) {
            reading = String(line.dropFirst())
            lines.removeFirst()
        }
        if let line = lines.first, line.hasPrefix(Self.variantMark) {
            guard let own = KeptVariant(text: line.dropFirst()) else { return nil }
            variant = own
            lines.removeFirst()
        }
        guard let response = HTTPResponse(lines: lines) else { return nil }
        self.response = response
    }

    var bytes: [UInt8] {
        var lines: [String] = []
        if !reading.isEmpty { lines.append(Self.readingMark + reading) }
        if let text = variant.text { lines.append(Self.variantMark + text) }
        return Array((lines + response.lines).joined(separator: "\n").utf8)
    }

    /// The beginnings of its own lines; a status begins with a digit.
    private static let (readingMark, variantMark) = ("~", "=")
}

/// Tags as the JSON of an array.
enum JSONTags {
    static func text(of tags: [String]) -> String {
        guard let data = try? JSONEncoder().encode(tags) else { return "[]" }
        return String(decoding: data, as: UTF8.self)
    }
}
