import Foundation

/// Whether a sanitizer watches, which takes several times as much memory.
enum Sanitizer {
    static let isOn = ProcessInfo.processInfo.environment["LARDER_SANITIZER"] != nil

    /// A bound on memory that is measured.
    static func allowed(_ count: Int) -> Int { isOn ? 10 * count : count }
}
