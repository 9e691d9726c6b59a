import Foundation

/// Runs `FaultRunner`, which the package builds beside the tests, and waits for its end.
enum Runner {
    /// The end of a run.
    struct Outcome {
        let status: Int32
        /// What it said.
        let output: String
    }

    /// Whether every fault is tried, and ten thousand kills, which takes hours instead of minutes:
    /// where `LARDER_STRESS` is set.
    static var isThorough: Bool {
        ProcessInfo.processInfo.environment["LARDER_STRESS"] != nil
    }

    static func run(_ arguments: String...) async throws -> Outcome {
        let process = Process()
        process.executableURL = try program()
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (continuation: Continuation) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self))
    }

    private typealias Continuation = CheckedContinuation<Void, any Error>

    private struct NotBuilt: Error {}

    /// The program beside the tests' own bundle or executable.
    private static func program() throws -> URL {
        let candidates =
            Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])]
        for candidate in candidates {
            for folder in [candidate, candidate.deletingLastPathComponent()] {
                let program = folder.appending(path: "FaultRunner")
                if FileManager.default.isExecutableFile(atPath: program.path()) { return program }
            }
        }
        throw NotBuilt()
    }
}
