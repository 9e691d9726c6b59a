import Foundation
import Testing

/// Holds the guides to the snippets that they show, and to the articles and symbols that they name.
@Suite struct GuideTests {
    private static let read = Result { try (guides: Guide.all(), snippets: SnippetFile.all()) }

    let guides: [Guide]
    let snippets: [String: SnippetFile]

    init() throws {
        (guides, snippets) = try Self.read.get()
        try #require(guides.count > 20 && snippets.count > 20)
    }

    @Test func `every sample in a guide is a snippet, or a slice of one`() {
        let offenders = guides.flatMap { guide in
            guide.samples.filter { sample in
                guard let snippet = sample.path.flatMap({ snippets[$0] }) else { return true }
                return sample.slice.map { !snippet.slices.contains($0) } ?? false
            }.map { "\(guide.path): \($0.text)" }
        }
        #expect(offenders == [])
    }

    /// Snippets are compiled; what stands in a guide itself is not.
    @Test func `no guide has Swift of its own`() {
        #expect(guides.filter { $0.text.contains("```swift") }.map(\.path) == [])
    }

    @Test func `every snippet is shown by a guide, each slice of it`() {
        let shown = Dictionary(grouping: guides.flatMap(\.samples), by: \.path)
        let offenders = snippets.sorted { $0.key < $1.key }.flatMap { path, snippet -> [String] in
            guard let samples = shown[path] else { return [path] }
            if samples.contains(where: { $0.slice == nil }) { return [] }
            let slices = Set(samples.compactMap(\.slice))
            return snippet.slices.filter { !slices.contains($0) }.map { "\(path): \($0)" }
        }
        #expect(offenders == [])
    }

    @Test func `no slice's name begins as the end of one does, which it is taken for`() {
        let offenders = snippets.flatMap { path, snippet in
            snippet.slices.filter { $0.hasPrefix("end") || $0.hasPrefix("hide") }.map {
                "\(path): \($0)"
            }
        }
        #expect(offenders == [])
    }

    @Test func `a snippet's slices have names of their own`() {
        let offenders = snippets.filter { Set($0.value.slices).count < $0.value.slices.count }
        #expect(offenders.keys.sorted() == [])
    }

    @Test func `every article that is named is one of the same catalogue`() {
        let articles = Dictionary(grouping: guides, by: \.catalogue)
            .mapValues { Set($0.map(\.name)) }
        let offenders = guides.flatMap { guide in
            guide.articles.filter { articles[guide.catalogue]?.contains($0) != true }
                .map { "\(guide.path): \($0)" }
        }
        #expect(offenders == [])
    }

    @Test func `a catalogue's first page lists each of its articles once`() throws {
        for (catalogue, guides) in Dictionary(grouping: guides, by: \.catalogue) {
            let first = try #require(guides.first { $0.isFirst }, "\(catalogue)")
            let topics = try #require(first.text.components(separatedBy: "\n## Topics\n").last)
            let listed = Guide.articles(in: topics)
            let articles = guides.filter { !$0.isFirst }.map(\.name)
            #expect(listed.sorted() == articles.sorted(), "\(catalogue)")
        }
    }

    /// DocC looks at the whole of a link; this finds what was renamed before DocC is run.
    @Test func `every symbol that a guide names is declared`() throws {
        let modules = guides.filter(\.isFirst).map(\.name)
        let declared = try SourceFile.all(in: "Sources").reduce(into: Set(modules + ["init"])) {
            $0.formUnion(Guide.declarations(in: $1))
        }
        let offenders = guides.flatMap { guide in
            guide.symbols.filter { !declared.isSuperset(of: Guide.names(of: $0)) }
                .map { "\(guide.path): \($0)" }
        }
        #expect(offenders == [])
    }

    @Test func `what is not so is found`() {
        let guide = Guide(
            path: "Sources/A/A.docc/B.md",
            text: """
                # B

                See <doc:C>, ``D/e(f:)-1ab2`` and `F`.

                @Snippet(path: "larder/Snippets/G", slice: "h")
                @Snippet(path: "larder/Snippets/G")
                @Snippet(path: "other/G")
                """)
        #expect(guide.catalogue == "Sources/A/A.docc" && guide.name == "B" && !guide.isFirst)
        #expect(guide.samples.map(\.path) == ["G", "G", nil])
        #expect(guide.samples.map(\.slice) == ["h", nil, nil])
        #expect(guide.articles == ["C"])
        #expect(guide.symbols == ["D/e(f:)-1ab2"])
        #expect(Guide.names(of: "D/e(f:)-1ab2") == ["D", "e"])
        let marks = ["a", "b", "end", "hide", "c", "show", "d"]
        let snippet = SnippetFile(text: marks.map { " // snippet.\($0)\n" }.joined())
        #expect(snippet.slices == ["a", "b", "d"])
    }
}

/// A page of a module's documentation.
struct Guide {
    /// A place where a snippet is shown.
    struct Sample {
        let text: String
        /// The snippet's name, nil where it is none of the package's.
        let path: String?
        let slice: String?
    }

    let path: String
    let text: String

    static func all() throws -> [Guide] {
        let folder = SourceFile.root.appending(path: "Sources").path(percentEncoded: false)
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
            .map { path in
                let file = SourceFile.root.appending(path: "Sources/\(path)")
                return Guide(
                    path: "Sources/\(path)", text: try String(contentsOf: file, encoding: .utf8))
            }
    }

    /// The catalogue that it is a page of.
    var catalogue: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }

    /// Whether it is the page of the module itself.
    var isFirst: Bool { catalogue.hasSuffix("/\(name).docc") }

    var samples: [Sample] {
        let form = /@Snippet\(path: "larder\/Snippets\/(\w+)"(?:, slice: "(\w+)")?\)/
        return text.components(separatedBy: "\n").filter { $0.contains("@Snippet") }.map { line in
            let match = line.wholeMatch(of: form)
            return Sample(
                text: line, path: match.map { String($0.1) }, slice: match?.2.map { String($0) })
        }
    }

    var articles: [String] { Self.articles(in: text) }

    /// What it links as a symbol, such as `Client/cancel(tag:)`.
    var symbols: [String] {
        text.matches(of: /``([^`\n]+)``/).map { String($0.1) }
    }

    static func articles(in text: String) -> [String] {
        text.matches(of: /<doc:([^>]+)>/).map { String($0.1) }
    }

    /// The names in a link to a symbol, without their parameters.
    static func names(of symbol: String) -> Set<String> {
        Set(symbol.split(separator: "/").map { String($0.prefix { $0 != "(" && $0 != "-" }) })
    }

    /// The names that stand behind the keywords of declarations.
    static func declarations(in file: SourceFile) -> Set<String> {
        let keywords: Set = [
            "actor", "case", "class", "enum", "func", "let", "macro", "protocol", "struct", "var",
        ]
        return file.lines.reduce(into: []) { names, line in
            let words = line.code.utf8.split { !isOfName($0) }.map { String(Substring($0)) }
            for (word, name) in zip(words, words.dropFirst()) where keywords.contains(word) {
                names.insert(name)
            }
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// A sample that is compiled, and the parts of it that guides show by themselves.
struct SnippetFile {
    /// The names of the slices that begin where the file is shown.
    private(set) var slices: [String] = []

    init(text: String) {
        var isShown = true
        for match in text.matches(of: /(?m)^ *\/\/ snippet\.(\w+)$/) {
            switch match.1 {
            case "hide": isShown = false
            case "show": isShown = true
            case "end": break
            default: if isShown { slices.append(String(match.1)) }
            }
        }
    }

    static func all() throws -> [String: SnippetFile] {
        let folder = SourceFile.root.appending(path: "Snippets")
        let files = try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
        return try Dictionary(
            uniqueKeysWithValues: files.map { file in
                let name = file.deletingPathExtension().lastPathComponent
                return (name, SnippetFile(text: try String(contentsOf: file, encoding: .utf8)))
            })
    }
}
