import Foundation

/// Whether a sanitizer watches, which takes many times as much memory.
enum Sanitizer {
    static let isOn = ProcessInfo.processInfo.environment["LARDER_SANITIZER"] != nil

    /// A bound on memory that is measured; none where it is not only the program's own.
    static func allowed(_ count: Int) -> Int { isOn ? .max : count }
}
