import Synchronization

/// A rejected promise that was dropped before anybody attached a handler to it.
///
/// Cancelled promises are not reported, nor errors that a `catch` handler has seen, wherever they are
/// passed on from there; another branch of the same promise ends in a rejection of its own. An error
/// that is thrown anew, by a handler or out of an asynchronous function, is new.
///
/// In debug builds each is said on standard error, with the place where the promise was made, unless
/// the program is a test run. ``report(to:)`` switches that off, or on, or puts something else in its
/// place. An error is said as it describes itself, with the values that it names.
public struct UnhandledRejection: Sendable, CustomStringConvertible {
    /// The error that the promise was rejected with.
    public let error: any Error
    /// The place where the promise was created, as `Module/File.swift:line`; `nil` in release builds.
    public let origin: String?

    /// One line about the rejection.
    public var description: String {
        "Nobody handles the rejection of the promise made at \(origin ?? "a place not kept"): \(error)"
    }

    /// Calls `hook` for every unhandled rejection from now on; `nil` switches reports off.
    ///
    /// The hook is called on the thread that drops the promise.
    public static func report(to hook: (@Sendable (UnhandledRejection) -> Void)?) {
        Self.hook.withLock { $0.report = hook }
        isReporting.store(hook != nil, ordering: .relaxed)
    }

    /// Says every unhandled rejection on standard error from now on.
    public static func reportToStandardError() {
        report(to: writeToStandardError)
    }

    static let writeToStandardError: @Sendable (UnhandledRejection) -> Void = { rejection in
        StandardError.print("larder: \(rejection)\n")
    }

    /// A field, as a closure that is itself lent to generic code comes back in two more each time.
    private struct Hook {
        var report: (@Sendable (UnhandledRejection) -> Void)?
    }

    private static let isReporting = Atomic<Bool>(isOnAtFirst)
    private static let hook = Guarded(Hook(report: writeToStandardError))

    static func check(_ node: Node) {
        guard isReporting.load(ordering: .relaxed) else { return }
        guard node.status.isUnhandledRejection, let error = node.error,
            !(error is CancellationError)
        else {
            return
        }
        let report = Self.hook.withLock(\.report)
        report?(UnhandledRejection(error: error, origin: node.site.description))
    }
}

extension Node.Status {
    fileprivate var isUnhandledRejection: Bool {
        isSuperset(of: [.settled, .rejected])
            && isDisjoint(with: [.cancelled, .observed, .handled])
    }
}

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

#if !DEBUG
extension UnhandledRejection {
    /// Whether rejections are reported before the program says anything about it; never in release
    /// builds.
    @inline(__always)
    static var isOnAtFirst: Bool { false }
}
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The stream for what goes wrong.
enum StandardError {
    /// Writes a text at once, so that lines of several threads do not mix.
    static func print(_ text: String) {
        var text = text
        // Where nobody listens there is nobody to tell.
        text.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}
