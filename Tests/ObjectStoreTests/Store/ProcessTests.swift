import Dispatch
import Foundation
import Testing

@testable import LarderObjectStore

/// A second process on the store's file, here one that runs SQLite's own shell.
struct ProcessTests {
    private static let shell = [
        "/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// A process that runs the statements it is given, one after the other.
    private final class Shell {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        init(_ path: String, at executable: String) throws {
            process.executableURL = URL(filePath: executable)
            process.arguments = ["-batch", path]
            process.standardInput = input
            process.standardOutput = output
            process.standardError = output
            try process.run()
        }

        /// Runs statements and returns once they are done.
        func run(_ sql: String) throws -> String {
            try input.fileHandleForWriting.write(
                contentsOf: Data("\(sql)\n.print \u{1}\n".utf8))
            var text = Data()
            while !text.hasSuffix([1, 10]),
                let byte = try output.fileHandleForReading.read(upToCount: 1)
            {
                text += byte
            }
            text.removeLast(min(text.count, 2))
            return String(decoding: text, as: UTF8.self)
        }

        func end() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    @Test(.enabled(if: shell != nil, "needs SQLite's shell as the other process"))
    func `commits of another process are seen, and its lock is waited for`() throws {
        let folder = try TemporaryFolder()
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(50)
        let path = folder.file("store.sqlite")
        let store = try Store(at: path, entities: Tag.self, configuration: configuration)
        try store.save(Library.old)
        let shell = try Shell(path, at: try #require(Self.shell))
        defer { shell.end() }

        // What it commits is there for statements that were prepared before.
        #expect(try store.count(Tag.all) == 1)
        #expect(try shell.run("INSERT INTO Tag (name) VALUES ('other');") == "")
        #expect(try store.count(Tag.all) == 2)

        // While it holds the lock, reading goes on and writing is an error in the end.
        #expect(try shell.run("BEGIN IMMEDIATE; DELETE FROM Tag;") == "")
        #expect(try store.count(Tag.all) == 2)
        let error = #expect(throws: StoreError.self) { try store.save(Library.fiction) }
        #expect(error?.reason == .busy)
        #expect(try shell.run("ROLLBACK;") == "")
        try store.save(Library.fiction)
        #expect(try store.count(Tag.all) == 3)

        // A changed schema has statements prepared anew.
        #expect(try shell.run("CREATE INDEX other ON Tag (color); ANALYZE;") == "")
        #expect(try store.fetch(Tag.where { $0.color == "red" }).count == 1)
        try store.save(Tag(name: "last", color: "red"))
        #expect(try shell.run("SELECT count(*) FROM Tag;") == "4\n")
    }

    @Test(.enabled(if: shell != nil, "needs SQLite's shell as the other process"))
    func `a snapshot stays while another process commits`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let store = try Store(at: path, entities: Tag.self)
        let shell = try Shell(path, at: try #require(Self.shell))
        defer { shell.end() }
        try store.read { snapshot in
            let before = try snapshot.connection.dataVersion
            #expect(try shell.run("INSERT INTO Tag (name) VALUES ('other');") == "")
            #expect(try snapshot.count(Tag.all) == 0)
            #expect(try snapshot.connection.dataVersion == before)
        }
        #expect(try store.count(Tag.all) == 1)
    }

    @Test(.enabled(if: shell != nil, "needs SQLite's shell as the other process"))
    func `a transaction waits until another process lets go of the file`() throws {
        let folder = try TemporaryFolder()
        var configuration = Store.Configuration()
        configuration.busyTimeout = .seconds(600)
        let path = folder.file("store.sqlite")
        let store = try Store(at: path, entities: Tag.self, configuration: configuration)
        let shell = try Shell(path, at: try #require(Self.shell))
        defer { shell.end() }
        #expect(try shell.run("BEGIN IMMEDIATE; INSERT INTO Tag (name) VALUES ('other');") == "")
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? store.save(Library.old)
            done.signal()
        }
        #expect(done.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
        #expect(try store.count(Tag.all) == 0)
        #expect(try shell.run("COMMIT;") == "")
        #expect(done.wait(timeout: .farAway) == .success)
        #expect(try store.count(Tag.all) == 2)
    }
}

extension Data {
    fileprivate func hasSuffix(_ bytes: [UInt8]) -> Bool {
        suffix(bytes.count).elementsEqual(bytes)
    }
}
