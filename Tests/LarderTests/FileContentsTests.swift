import Foundation
import HTTPTypes
import Larder
import LarderTesting
import Testing

@Entity("Issue", fetchedAt: true)
private struct FiledIssue {
    @Identity var id: Int
    @Attribute(searchable: true) var title: String
    var createdAt: Date?
    var user: One<FiledUser>?
    var labels: Many<FiledLabel>
}

@Entity("User")
private struct FiledUser {
    @Identity var id: Int
}

@Entity("Label")
private struct FiledLabel {
    @Identity var name: String
}

private struct Issues: Endpoint {
    let path: URLPath = "issues"
}

/// Compares the guide on a store's file with a file that the store, the client and its cache have written.
@Suite struct FileContentsTests {
    private let guide: Guide

    init() throws {
        guide = try #require(try Guide.all().first { $0.name == "FileContents" })
    }

    /// What stands first in the rows of a section's first table, in backticks.
    private func names(in section: String) throws -> [String] {
        let text = try #require(guide.text.components(separatedBy: "\n## \(section)\n").last)
            .components(separatedBy: "\n## ")[0]
        let table = try #require(text.components(separatedBy: "\n|---").dropFirst().first)
            .components(separatedBy: "\n\n")[0]
        return table.components(separatedBy: "\n").dropFirst().flatMap { line in
            line.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    /// A store that has had all kinds of things written into it.
    private static func with(
        do body: (Store, _ path: String) async throws -> Void
    ) async throws {
        try await TemporaryStore.with(FiledIssue.self, FiledUser.self, FiledLabel.self) { store in
            let title = String(repeating: "long ", count: 20_000)
            let json = """
                [{"id": 1, "title": "\(title)", "createdAt": "2026-01-01T00:00:00Z",
                  "user": {"id": 7}, "labels": ["a", "b"]}]
                """
            let cache = ResponseCache(in: store)
            var configuration = Client.Configuration(
                transport: StubTransport(
                    .json(json, headerFields: [.cacheControl: "max-age=60"])))
            (configuration.cache, configuration.fetchPolicy) = (cache, .networkFirst())
            let client = Client(
                baseURL: "http://test.invalid/", store: store, configuration: configuration)
            // The cache has it soon after.
            for _ in 0..<1_000 {
                let response = try await client.enqueue(
                    Issues(), as: Response<Many<FiledIssue>>.self
                ).value
                if response.source == .cache { break }
            }
            _ = try await client.pull(Issues(), as: Many<FiledIssue>.self, from: .named("issues"))
                .value
            // What is kept is changed in the order of the changes: this one comes last.
            try await cache.flush(origin: URL(string: "http://other.invalid/")).value
            try await body(store, try #require(store.path))
        }
    }

    @Test func `the guide names the tables of a file, and no others`() async throws {
        let named = try names(in: "Tables")
        try await Self.with { store, _ in
            let rows = try store.rows(
                "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
            let names = try rows.map { try $0.value("name", as: String.self) }
                // The index has tables of its own.
                .filter { !$0.hasPrefix("Issue.$search_") && !$0.hasPrefix("sqlite_") }
            #expect(Set(named).count == named.count)
            #expect(names.sorted() == named.sorted())
            let columns = try store.rows("SELECT name FROM pragma_table_info('Issue')")
                .map { try $0.value("name", as: String.self) }
            #expect(columns.sorted() == ["$reference", "createdAt", "id", "title", "user"])
        }
    }

    @Test func `it names the files, which are their owner's alone`() async throws {
        let named = try names(in: "Files")
        try await Self.with { _, path in
            let folder = URL(filePath: path).deletingLastPathComponent().path()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(
                files.sorted()
                    == named.map { $0.replacing("app.sqlite", with: "store.sqlite") }.sorted())
            for file in files {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: folder + "/" + file)
                let mode = attributes[.posixPermissions] as? Int
                #expect(mode == (file.hasSuffix("-responses") ? 0o700 : 0o600), "\(file)")
            }
        }
    }

    @Test func `what it says of settings is what the header of a file says`() async throws {
        try await Self.with { store, path in
            let copy = path + ".copy"
            try store.backUp(to: URL(filePath: copy))
            let header = [UInt8](try Data(contentsOf: URL(filePath: copy)).prefix(100))
            func number(at offset: Int) -> Int {
                header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
            }
            #expect(guide.text.contains("| `application_id` | \(number(at: 68)),"))
            #expect(guide.text.contains("| `user_version` | \(number(at: 60)),"))
        }
    }

    @Test func `its statements for a shell are such as SQLite takes`() async throws {
        let statements = guide.text.components(separatedBy: "\n")
            .filter { $0.hasPrefix("sqlite> SELECT ") }
            .map { String($0.dropFirst("sqlite> ".count).dropLast()) }
        #expect(statements.count == 5)
        try await Self.with { store, _ in
            for statement in statements {
                let rows = try store.rows(SQLQuery(stringLiteral: statement))
                #expect(rows.isEmpty == statement.contains("= 42"), "\(statement)")
            }
        }
    }

    @Test func `what it says may be deleted may be`() async throws {
        try await Self.with { store, path in
            try FileManager.default.removeItem(atPath: path + "-responses")
            try store.close()
            let again = try Store(
                at: path, entities: FiledIssue.self, FiledUser.self, FiledLabel.self)
            let cache = ResponseCache(in: again)
            var configuration = Client.Configuration(transport: StubTransport(.json("[]")))
            configuration.cache = cache
            let client = Client(
                baseURL: "http://test.invalid/", store: again, configuration: configuration)
            let response = try await client.enqueue(
                Issues(), as: Response<Many<FiledIssue>>.self
            ).value
            #expect(response.source == .network)
            try await cache.flush(origin: URL(string: "http://other.invalid/")).value
            #expect(try again.checkIntegrity().isSound)
        }
    }
}
