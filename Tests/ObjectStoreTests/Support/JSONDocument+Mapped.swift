import Foundation

@testable import LarderObjectStore

extension JSONDocument {
    /// Parses bytes from a file, of which arrays longer than a limit are walked.
    init(
        mapped bytes: some Sequence<UInt8>, longArray: Int,
        depthLimit: Int = JSONDocument.defaultDepthLimit
    ) throws {
        var file = try SpoolFile()
        try Array(bytes).withUnsafeBytes { try file.append($0) }
        try self.init(try file.mapped(), depthLimit: depthLimit, longArray: longArray)
    }
}
