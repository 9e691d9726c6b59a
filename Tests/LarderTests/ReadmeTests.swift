import Foundation
import Testing

/// Holds the README to what compiles.
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    @Test func `every sample stands in a snippet`() throws {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let snippets = try FileManager.default
            .contentsOfDirectory(
                at: Self.root.appending(path: "Snippets"), includingPropertiesForKeys: nil
            )
            .map { try String(contentsOf: $0, encoding: .utf8) }
        let samples = readme.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(samples.count >= 5)
        for paragraph in samples.flatMap({ $0.components(separatedBy: "\n\n") }) {
            let code = paragraph.trimmingCharacters(in: .newlines)
            #expect(snippets.contains { $0.contains(code) }, "not in Snippets:\n\(code)")
        }
    }
}
