package import Foundation

/// What is kept of a document beside the rows that its parts have become.
extension ImportSkeleton {
    /// What is left of a document where each part that only those who store have looked at is emptied, a space between
    /// its brackets, and the skeleton with the places of the parts in that.
    ///
    /// - Parameters:
    ///   - value: A value of the document.
    ///   - limit: The most bytes that may be left; nil is returned of more.
    package func rest(
        of value: JSONValue, atMost limit: Int
    ) -> (skeleton: ImportSkeleton, document: Data)? {
        let storage = value.storage.document
        return withExtendedLifetime(storage) {
            let root = storage.range(of: 0)
            // Both brackets of each stay.
            let removed = unread.filter { $0.count > 2 }
                .map { $0.lowerBound + 1..<$0.upperBound - 1 }
            guard root.count - removed.reduce(0, { $0 + $1.count - 1 }) <= limit else { return nil }
            var document = Data()
            var position = root.lowerBound
            for range in removed {
                document.append(storage.bytes + position, count: range.lowerBound - position)
                document.append(UInt8(ascii: " "))
                position = range.upperBound
            }
            document.append(storage.bytes + position, count: root.upperBound - position)
            var skeleton = self
            skeleton.unread = []
            var (index, shift) = (0, root.lowerBound)
            for part in parts.indices.sorted(by: { parts[$0].offset < parts[$1].offset }) {
                let offset = parts[part].offset
                while index < removed.count, removed[index].lowerBound <= offset {
                    shift += removed[index].count - 1
                    index += 1
                }
                skeleton.parts[part] = Part(
                    offset: offset - shift, kind: parts[part].kind,
                    content: parts[part].content)
            }
            return (skeleton, document)
        }
    }

    /// The places of the parts that are emptied in a document.
    func emptied(in document: JSONDocument.Storage) -> Set<Range<Int>> {
        let (bytes, root) = (document.bytes, document.range(of: 0))
        let pairs: [(UInt8, UInt8)] = [
            (UInt8(ascii: "["), UInt8(ascii: "]")), (UInt8(ascii: "{"), UInt8(ascii: "}")),
        ]
        return Set(
            parts.compactMap { part in
                // Bytes that were damaged may say anything.
                guard root.contains(part.offset), root.upperBound - part.offset > 2,
                    bytes[part.offset + 1] == UInt8(ascii: " "),
                    pairs.contains(where: {
                        $0 == (bytes[part.offset], bytes[part.offset + 2])
                    })
                else { return nil }
                return part.offset..<part.offset + 3
            })
    }
}
