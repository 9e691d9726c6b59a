import Foundation

/// A file in a folder of its own, which goes with it.
final class TemporaryFile: Sendable {
    let url: URL

    init(named name: String, _ content: Data) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "larder-test-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appending(path: name)
        try content.write(to: url)
    }

    deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}
