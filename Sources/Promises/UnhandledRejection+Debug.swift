#if DEBUG
extension UnhandledRejection {
    /// Whether rejections are reported before the program says anything about it.
    static var isOnAtFirst: Bool { !isTestRun(CommandLine.arguments.first ?? "") }

    /// Whether a program of this path runs tests, which reject promises on purpose.
    static func isTestRun(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasSuffix(".xctest") || name == "xctest" || name == "swiftpm-testing-helper"
    }
}
#endif
