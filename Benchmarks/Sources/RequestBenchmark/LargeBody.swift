import CRequestBaseline
import Foundation
import LarderClient
import LarderObjectStore
import Nginx

/// A large body that is thrown away as it comes: its rate, and the memory that it takes beyond that of before.
struct LargeBody {
    private struct Failed: Error {}

    let baseURL: String
    let path: URLPath
    let size: Int

    /// Throws it away by C over libcurl; returns the kilobytes that took.
    func discardInC() throws -> Int {
        let memory = MemoryPeak()
        var count: Int64 = 0
        let seconds = larder_baseline_discard("\(baseURL)\(path)", &count)
        guard seconds > 0, Int(count) == size else { throw Failed() }
        return memory.growth
    }

    /// Has curl throw it away, in a process of its own; nil where it is not installed.
    ///
    /// The seconds are those that curl says, without what its process takes to begin.
    func discardByCurl() throws -> Sample? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["curl", "-sfo", "/dev/null", "-w", "%{size_download} %{time_total}"]
            + ["\(baseURL)\(path)"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let before = Self.childrensProcessorSeconds
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let text = String(decoding: said, as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 127 { return nil }
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        guard process.terminationStatus == 0, numbers.count == 2, Int(numbers[0]) == size else {
            throw Failed()
        }
        return Sample(
            seconds: numbers[1],
            processorSeconds: Self.childrensProcessorSeconds - before)
    }

    private static var childrensProcessorSeconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime]
            .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// Throws it away by a client that streams; returns the kilobytes that took.
    func stream() async throws -> Int {
        let client = Client(
            baseURL: baseURL, store: try Store.inMemory(entities: Nothing.self),
            configuration: .init(transport: CurlTransport()))
        let memory = MemoryPeak()
        var count = 0
        for try await part in client.stream(.get(path)) { count += part.count }
        guard count == size else { throw Failed() }
        return memory.growth
    }
}

/// A store has entities.
@Entity private struct Nothing {
    @Identity var id: Int
}

/// The most memory that the process has had at once since a moment, as Linux tells.
private struct MemoryPeak {
    private let idle: Int

    init() {
        // By proc(5), 5 sets the peak to what there is now.
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        idle = Self.kilobytes("VmRSS:")
    }

    var growth: Int { Self.kilobytes("VmHWM:") - idle }

    private static func kilobytes(_ key: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
