import Foundation

extension TemporaryFolder {
    /// The names of the files in the folder, sorted.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
