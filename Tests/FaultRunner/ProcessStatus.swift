import Foundation

/// What Linux tells of this process.
enum ProcessStatus {
    /// A number of kilobytes by its name in proc(5), nil where nobody tells.
    static func kilobytes(_ name: String) -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return status?.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
            .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }

    /// The number of files and sockets that are open.
    static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    }

    /// The number of threads of a name.
    static func threadCount(named name: String) -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            let text = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return text?.trimmingCharacters(in: .newlines) == name
        }
    }
}

/// The most memory that the process has had at once since some moment, as Linux tells.
struct MemoryPeak {
    private let idle: Int?

    /// Begins anew.
    init() {
        // By proc(5), 5 sets the peak to what there is now.
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        idle = ProcessStatus.kilobytes("VmRSS")
    }

    /// The kilobytes beyond those at the beginning, nil where nobody tells.
    var growth: Int? {
        guard let idle, let peak = ProcessStatus.kilobytes("VmHWM") else { return nil }
        return peak - idle
    }
}
