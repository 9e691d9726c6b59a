import Foundation

/// What the process holds, as Linux tells it; nothing elsewhere.
struct Holdings: CustomStringConvertible {
    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    let kibibytes: Int
    let threads = count("/proc/self/task")
    let descriptors = count("/proc/self/fd")

    init() {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) }
        kibibytes = (pages ?? 0) * 4
    }

    var description: String {
        "\(kibibytes) KiB, \(threads) threads, \(descriptors) descriptors"
    }
}
