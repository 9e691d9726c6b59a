import Foundation
import TestProgram
import Testing

/// Holds the table of behaviours, and the page that is written out of it, to what there is.
@Suite struct ParityTests {
    /// The behaviours that were asked for stand beside the package, and not in it.
    private static let features: String? = {
        let file = SourceFile.root.appending(path: "../shared/features.md").standardized
        let text = try? String(contentsOf: file, encoding: .utf8)
        if text == nil { print("SKIPPED: the list of behaviours is not at ../shared/features.md") }
        return text
    }()

    let table: ParityTable

    init() throws {
        table = ParityTable(try Self.text(of: ParityTable.path))
        try #require(!table.rows.isEmpty)
    }

    @Test func `every row is well formed`() {
        #expect(table.problems + table.rows.flatMap(\.problems) == [])
    }

    @Test func `no id and no behaviour stands in an area twice`() {
        let ids = Dictionary(grouping: table.rows, by: \.id).filter { $0.value.count > 1 }
        #expect(ids.keys.sorted() == [])
        for area in table.areas {
            let behaviours = Dictionary(grouping: area.rows, by: \.behaviour)
            #expect(behaviours.filter { $0.value.count > 1 }.keys.sorted() == [], "\(area.title)")
        }
    }

    @Test func `every source is a file of a target`() {
        let offenders = table.rows.flatMap { row in
            row.sources.filter { !$0.hasPrefix("Sources/") || !Self.exists($0) }
                .map { "\(row.id): \($0)" }
        }
        #expect(offenders == [])
    }

    @Test func `every test is a function of the file that is named`() throws {
        let offenders = try table.rows.flatMap { row in
            try row.tests.filter { test in
                guard test.file.hasPrefix("Tests/"), Self.exists(test.file) else { return true }
                return try !Self.text(of: test.file).contains("func `\(test.function)`(")
            }.map { "\(row.id): \($0.file): \($0.function)" }
        }
        #expect(offenders == [])
    }

    /// Whole files of tests are of one transport.
    @Test func `what only tests of one system hold says so`() throws {
        let offenders = try table.rows.filter { row in
            guard !row.tests.isEmpty else { return !row.systems.isEmpty }
            let isOfLinux = try row.tests.allSatisfy {
                try Self.text(of: $0.file).hasPrefix("#if !canImport(Darwin)")
            }
            return isOfLinux != (row.systems == "Linux")
        }
        #expect(offenders.map { "\($0.id): \($0.systems)" } == [])
    }

    @Test func `the page is what is written out of the table`() async throws {
        let script = SourceFile.root.appending(path: "Scripts/parity")
        let outcome = try await TestProgram(at: script).run(["--print"])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let page = try Self.text(of: "PARITY.md")
        #expect(outcome.output == page, "Scripts/parity writes it anew")
    }

    @Test func `the page has each row, and counts them`() throws {
        let lines = try Self.text(of: "PARITY.md").components(separatedBy: "\n")
        for area in table.areas {
            let start = try #require(lines.firstIndex(of: "## \(area.title)"))
            let shown = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
                .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| | ") }
            try #require(shown.count == area.rows.count, "\(area.title)")
            for (line, row) in zip(shown, area.rows) {
                let system = row.systems.isEmpty ? "" : ", on \(row.systems)"
                #expect(line.hasPrefix("| \(row.state)\(system) | \(row.behaviour)"))
                #expect(row.tests.allSatisfy { line.contains("(\($0.file)) `\($0.function)`") })
                #expect(row.remark.isEmpty || line.contains(row.remark))
            }
            #expect(lines.contains("| \(area.title) | \(Self.counts(of: area.rows)) |"))
        }
        #expect(lines.contains("| **All** | \(Self.counts(of: table.rows)) |"))
    }

    @Test(.enabled(if: features != nil))
    func `what was asked for is in the table, and nothing else stands for it`() throws {
        let features = try #require(Self.features)
        let names = [
            "RM": "remotli", "NO": "nomosi", "DR": "dratini", "KX": "konex", "RC": "raccoon",
            "G": "groot", "A": "alamofirecoredata",
        ]
        let marked = features.matches(of: /\b([A-Z]+)-([0-9]{2})\b/).compactMap { match in
            names[String(match.1)].map { "\($0)-\(match.2)" }
        }
        let numbered = features.matches(of: /(?m)^\| ([0-9]+) \|/).map { match in
            "table-\(match.1.count < 2 ? "0" : "")\(match.1)"
        }
        let asked = Set(marked + numbered)
        #expect(asked.count > 250)
        let prefixes = Set(asked.map { $0.dropLast(2) })
        let rows = Set(table.rows.map(\.id))
        #expect(asked.subtracting(rows).sorted() == [])
        let stands = rows.filter { id in
            id.last?.isNumber == true && prefixes.contains(id.dropLast(2))
        }
        #expect(stands.subtracting(asked).sorted() == [])
    }

    private static func counts(of rows: [ParityTable.Row]) -> String {
        ParityTable.states.map { state in "\(rows.count { $0.state == state })" }
            .joined(separator: " | ")
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(
            atPath: SourceFile.root.appending(path: path).path(percentEncoded: false))
    }
}
