import Foundation

/// What the process has in memory, in kilobytes, as Linux counts it.
enum Memory {
    static var now: Int { value(of: "VmRSS:") }
    static var peak: Int { value(of: "VmHWM:") }

    private static func value(of key: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
