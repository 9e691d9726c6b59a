import Foundation

/// A folder for the files of one run, which goes with it.
final class Workplace {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "larder-faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.appending(path: "store.sqlite").path() }

    /// Puts a copy of a closed store in place of whatever stands there; nil for none.
    func put(_ template: Data?) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        try template?.write(to: URL(filePath: path))
    }

    /// The file of a store that was closed, so that all of it is in there.
    func taken() throws -> Data { try Data(contentsOf: URL(filePath: path)) }
}
