import Foundation

/// The files of a conformance suite that stands beside the package, where it does.
enum ConformanceFiles {
    /// The package's folder; links are followed, since tests may be built through one.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let json = root.deletingLastPathComponent()
        .appending(path: "shared/conformance/json")

    /// The name and content of each file in a folder of JSONTestSuite, empty where it is missing.
    static func json(_ folder: String) -> [(name: String, content: Data)] {
        let folder = json.appending(path: folder)
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path())
        return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            (try? Data(contentsOf: folder.appending(path: name))).map { (name, $0) }
        }
    }

    /// Whether JSONTestSuite is there; where it is not, its tests say that they are skipped.
    static let hasJSON = FileManager.default.fileExists(atPath: json.path())
}
