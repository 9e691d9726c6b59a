import Foundation
import LarderObjectStore

extension Recording.Request {
    /// The request in the one form that those have which ask for the same: the keys of JSON in order, and a
    /// multipart form with a boundary that is the same for all.
    var normalized: Recording.Request {
        var request = self
        request.body = body.map { $0.canonicalJSON ?? $0.withoutBoundary }
        return request
    }
}

extension Data {
    /// An object or an array of JSON in its canonical form; nil where it is none.
    ///
    /// Whether it is meant as JSON is not recorded, and text such as `1.0` may be meant as it stands.
    fileprivate var canonicalJSON: Data? {
        let blanks = Set(" \t\r\n".utf8)
        guard let first = self.first(where: { !blanks.contains($0) }), "[{".utf8.contains(first),
            let document = try? JSONDocument(self)
        else { return nil }
        return Data(document.root.canonicalText.utf8)
    }

    /// A multipart form with a boundary that is the same for all; other content as it is.
    var withoutBoundary: Data {
        let (dashes, lineBreak) = (Data("--".utf8), Data("\r\n".utf8))
        // A boundary has at most 70 characters (RFC 2046, section 5.1.1).
        guard starts(with: dashes),
            let end = prefix(2 * dashes.count + 70 + lineBreak.count).range(of: lineBreak)?
                .lowerBound
        else { return self }
        // One without parts is its end alone.
        if end + lineBreak.count == endIndex, self[..<end].dropFirst(2).suffix(2) == dashes {
            return Data("--boundary--\r\n".utf8)
        }
        guard range(of: lineBreak + self[..<end] + dashes, options: .backwards) != nil else {
            return self
        }
        let delimiter = lineBreak + self[..<end]
        // The first one stands behind no line break.
        var (result, rest) = (Data(), lineBreak + self)
        while let next = rest.range(of: delimiter) {
            result += rest[..<next.lowerBound] + lineBreak + Data("--boundary".utf8)
            rest = rest[next.upperBound...]
        }
        return Data((result + rest).dropFirst(lineBreak.count))
    }
}
