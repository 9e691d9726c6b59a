import Foundation
import Testing

/// What CONTRIBUTING.md asks of the shape of the code; each test names all offenders at once.
@Suite struct HouseTests {
    private static let read = Result { try SourceFile.all(in: "Sources") }

    let sources: [SourceFile]

    init() throws {
        sources = try Self.read.get()
        try #require(!sources.isEmpty)
    }

    @Test func `no source file is longer than 350 lines`() {
        let offenders = sources.filter { $0.lines.count > 350 }
            .map { "\($0.path): \($0.lines.count) lines" }
        #expect(offenders == [])
    }

    /// A type that is spread over files has as many lines as all of them: 600, but for those that are
    /// known to have more, with the lines that they may have.
    @Test func `no type has more than 600 lines, whichever files it is in`() {
        let known = [
            // One operator a file, and what the compiler says of mistakes.
            "Promise": 2_000,
            // Groot's rules, one group a file; what they need of rows and memory stands elsewhere.
            "Mapper": 1_445,
            // One request's way, whose stages are files of their own.
            "Delivery": 700,
            // The copies of one model's rows and links into another's, and what is lost on the way.
            "Migrator": 970,
            // The operators of each type of column.
            "Column": 905,
            // One host: blocking, awaited, as promises.
            "Store": 985,
            // Everything that can be asked, and what the compiler says of what can't.
            "ObjectReading": 900,
            // Enqueuing, downloads, streams, progress, observation, logging out and what is written along, a file
            // each, and what the compiler says of mistakes.
            "Client": 1_470,
            // One side of an exchange a file: setting up, sharing, progress, times.
            "CurlHandle": 700,
            // One kind of content a file.
            "RequestBody": 750,
            // One reader of texts of all syntaxes, of which a file has one part.
            "RedactedText": 1_200,
        ]
        let types = Dictionary(grouping: sources) { file in
            "\(file.nameParts[0]) of \(file.path.split(separator: "/")[1])"
        }
        let offenders = types.compactMap { name, files -> String? in
            let lines = files.reduce(0) { $0 + $1.lines.count }
            let limit = known[files[0].nameParts[0]] ?? 600
            return lines > limit ? "\(name): \(lines) lines" : nil
        }
        #expect(offenders.sorted() == [])
    }

    @Test func `a file is named after what it declares or extends`() throws {
        let offenders = try sources.filter { try !$0.keepsItsName() }
        #expect(offenders.map(\.path) == [])
    }

    @Test func `no file is a grab bag`() {
        let grabBags = ["Utils", "Utilities", "Helpers", "Extensions", "Misc", "Common", "Types"]
        let offenders = sources.filter { $0.nameParts.contains(where: grabBags.contains) }
        #expect(offenders.map(\.path) == [])
    }

    @Test func `nothing traps on data`() {
        let traps = ["try!", "as!", "fatalError(", "preconditionFailure("]
        #expect(offenders { line in traps.contains(where: line.code.contains) } == [])
    }

    /// They have few threads, all of which may be waiting for what would run there.
    @Test func `nothing runs on the global queues`() {
        let queues = ["DispatchQueue.global(", "attributes: .concurrent"]
        #expect(offenders { line in queues.contains(where: line.code.contains) } == [])
    }

    @Test func `platform differences are whole files`() {
        #expect(offenders { line in line.isIndented && line.code.contains("#if ") } == [])
    }

    @Test func `every escape from the compiler's checks says why it is safe`() {
        let escapes = ["@unchecked Sendable", "nonisolated(unsafe)"]
        let offenders = offenders { line in
            escapes.contains(where: line.code.contains) && !line.isExplained
        }
        #expect(offenders == [])
    }

    /// Lent to generic code, a closure that is no field comes back in two more, each time, for good.
    @Test func `no lock holds a closure by itself`() {
        let names = sources.flatMap(\.lines).compactMap { line -> String? in
            let parts = line.code.components(separatedBy: "typealias ")
            guard parts.count == 2, let end = parts[1].range(of: " = @Sendable (") else {
                return nil
            }
            return String(parts[1][..<end.lowerBound])
        }
        let types = ["(@Sendable", "@Sendable"] + names.flatMap { ["\($0)>", "\($0)?>"] }
        let holders = ["Guarded<", "Mutex<"]
        let offenders = offenders { line in
            holders.contains { holder in types.contains { line.code.contains(holder + $0) } }
        }
        #expect(names.count > 5)
        #expect(offenders == [])
    }

    @Test func `the README is short and shows code at once`() throws {
        let readme = try SourceFile(path: "README.md")
        let code = try #require(readme.lines.first { $0.text.hasPrefix("```") })
        #expect(readme.lines.count <= 150)
        #expect(code.number <= 15)
    }

    private func offenders(where isOffender: (SourceFile.Line) -> Bool) -> [String] {
        sources.flatMap { file in
            file.lines.filter(isOffender).map { "\(file.path):\($0.number): \($0.text)" }
        }
    }
}

struct SourceFile {
    struct Line {
        let number: Int
        let text: String

        /// The line without its comment.
        let code: String

        /// Whether a comment stands on the line or above it; attributes may stand between.
        let isExplained: Bool

        var isIndented: Bool { text.first == " " }
    }

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let path: String
    let lines: [Line]

    init(path: String) throws {
        self.path = path
        let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        var texts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if texts.last == "" { texts.removeLast() }
        var isBelowComment = false
        lines = texts.enumerated().map { index, text in
            let hasComment = text.contains("//")
            let code = hasComment ? text.replacing(/(^|\s)\/\/.*/, with: "") : text
            let isExplained = isBelowComment || code != text
            let start = text.first { $0 != " " }
            if start != "@" { isBelowComment = start == "/" }
            return Line(number: index + 1, text: text, code: code, isExplained: isExplained)
        }
    }

    static func all(in folder: String) throws -> [SourceFile] {
        let folderPath = root.appending(path: folder).path(percentEncoded: false)
        return try FileManager.default.subpathsOfDirectory(atPath: folderPath)
            .filter { $0.hasSuffix(".swift") }
            .sorted()
            .map { try SourceFile(path: "\(folder)/\($0)") }
    }

    /// `["Promise", "then"]` for `Promise+then.swift`: what the file is about, and which side of it.
    var nameParts: [String] {
        URL(filePath: path).deletingPathExtension().lastPathComponent
            .split(separator: "+").map(String.init)
    }

    /// Whether the file declares, extends or conforms others to what it is named after.
    ///
    /// A function is named with a small letter; an umbrella declares nothing.
    func keepsItsName() throws -> Bool {
        let keyword = "(struct|class|enum|actor|protocol|typealias|extension|func|macro)"
        let name = nameParts[0]
        let declaration = try Regex(
            "\\b(\(keyword) (\\w+\\.)*|extension .+: (.+, )?)\(name)\\b"
        ).ignoresCase().wordBoundaryKind(.simple)
        let isUmbrella = lines.allSatisfy { $0.code.isEmpty || $0.code.contains("import ") }
        return isUmbrella || lines.contains { $0.code.contains(declaration) }
    }
}
