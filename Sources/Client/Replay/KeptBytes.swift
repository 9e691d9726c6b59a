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
        head = kept.head.keptBytes
        skeleton = kept.skeletonBytes ?? kept.skeleton.bytes
        size = Int64(head.count + skeleton.count + (kept.document?.count ?? 0) + 256)
        sum = Self.sum(of: head, skeleton, kept.document)
    }

    static func sum(of head: [UInt8], _ skeleton: [UInt8], _ document: Data?) -> Int64 {
        ResponseRow.sum(of: head + skeleton, document ?? Data())
    }
}

extension HTTPResponse {
    /// The head as it lies in a row.
    var keptBytes: [UInt8] { Array(lines.joined(separator: "\n").utf8) }

    init?(keptBytes: [UInt8]) {
        self.init(
            lines: keptBytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) })
    }
}

/// Tags as the JSON of an array.
enum JSONTags {
    static func text(of tags: [String]) -> String {
        guard let data = try? JSONEncoder().encode(tags) else { return "[]" }
        return String(decoding: data, as: UTF8.self)
    }
}
