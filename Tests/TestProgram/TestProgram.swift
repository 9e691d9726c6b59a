public import Foundation

/// A program that tests run as a process of its own.
public struct TestProgram: Sendable {
    /// The end of a run.
    public struct Outcome: Sendable {
        /// The exit status, or the signal that ended the process.
        public let status: Int32
        /// What it said on standard output.
        public let output: String
        /// What it said on standard error.
        public let errors: String
    }

    struct NotFound: Error, CustomStringConvertible {
        let description: String
    }

    private let url: URL

    /// Creates a program from its place.
    public init(at url: URL) {
        self.url = url
    }

    /// Finds a program that the package builds beside the tests.
    public init(builtAs name: String) throws {
        let candidates = Self.buildFolders.map { $0.appending(path: name) }
        guard let url = candidates.first(where: Self.isExecutable) else {
            throw NotFound(description: "\(name) is not beside the tests: \(Self.buildFolders)")
        }
        self.init(at: url)
    }

    /// Finds a program where a shell would find it.
    public init?(onPathAs name: String) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let candidates = path.split(separator: ":").map {
            URL(filePath: String($0), directoryHint: .isDirectory).appending(path: name)
        }
        guard let url = candidates.first(where: Self.isExecutable) else { return nil }
        self.init(at: url)
    }

    /// The folders in which the tests' own executable or bundle may stand.
    public static var buildFolders: [URL] {
        (Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])])
            .flatMap { [$0, $0.deletingLastPathComponent()] }
    }

    private static func isExecutable(_ url: URL) -> Bool {
        FileManager.default.isExecutableFile(atPath: url.path(percentEncoded: false))
    }

    /// Where it is.
    public var path: String { url.path(percentEncoded: false) }

    /// Runs the program and waits for its end without holding a thread.
    ///
    /// What it says goes through files: a pipe that nobody reads meanwhile would stop a talkative
    /// program for ever.
    public func run(_ arguments: [String]) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: UUID().uuidString, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = try OutputFile(in: folder, named: "output")
        let errors = try OutputFile(in: folder, named: "errors")

        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.standardOutput = output.handle
        process.standardError = errors.handle
        try await withCheckedThrowingContinuation { (continuation: Continuation) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return Outcome(
            status: process.terminationStatus, output: try output.text(), errors: try errors.text())
    }

    private typealias Continuation = CheckedContinuation<Void, any Error>
}

/// A file that receives what a process says.
private struct OutputFile {
    private let url: URL
    let handle: FileHandle

    init(in folder: URL, named name: String) throws {
        url = folder.appending(path: name)
        try Data().write(to: url)
        handle = try FileHandle(forWritingTo: url)
    }

    func text() throws -> String {
        try handle.close()
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }
}
