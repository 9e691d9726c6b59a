package import Foundation

/// A file of issues that can be given other ids, so that it can be imported as new issues again and
/// again.
package struct IssueFile {
    /// The first id that `setIDs` may begin with; all have eight digits.
    package static let firstID = 10_000_000

    package private(set) var json: Data
    /// Where the ids begin.
    private let places: [Int]

    /// Reads a file that `make-issues.py` has written.
    package init(contentsOf file: URL) throws {
        json = try Data(contentsOf: file)
        places = json.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in Self.places(in: bytes) }
    }

    /// How many issues there are.
    package var count: Int { places.count }

    /// Gives the issues consecutive ids.
    package mutating func setIDs(from first: Int) {
        json.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
            for (index, place) in places.enumerated() {
                var rest = first + index
                for digit in (place..<place + 8).reversed() {
                    bytes[digit] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
            }
        }
    }

    /// An id stands, with its eight digits, before `, "number":`.
    private static func places(in bytes: UnsafeRawBufferPointer) -> [Int] {
        let behind = Array(#", "number":"#.utf8)
        var places: [Int] = []
        var position = 8
        while position + behind.count <= bytes.count {
            let isFound =
                bytes[position] == behind[0]
                && bytes[position..<position + behind.count].elementsEqual(behind)
            if isFound { places.append(position - 8) }
            position += isFound ? behind.count : 1
        }
        return places
    }
}
