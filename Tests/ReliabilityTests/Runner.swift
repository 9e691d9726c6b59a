import Foundation
import TestProgram

/// Runs `FaultRunner`, which the package builds beside the tests.
enum Runner {
    /// Whether every fault is tried, and ten thousand kills, which takes hours instead of minutes:
    /// where `LARDER_STRESS` is set.
    static var isThorough: Bool {
        ProcessInfo.processInfo.environment["LARDER_STRESS"] != nil
    }

    /// Whether the disk fails at some calls only, so that a slow machine is in time: where `LARDER_BRIEF` is set.
    static var isBrief: Bool {
        ProcessInfo.processInfo.environment["LARDER_BRIEF"] != nil
    }

    static func run(_ arguments: String...) async throws -> TestProgram.Outcome {
        try await TestProgram(builtAs: "FaultRunner").run(arguments)
    }
}
