import Foundation

/// A folder for the files of one run, which goes with it.
final class Workplace: Sendable {
    let folder: URL

    /// Makes the folder in memory where the system has room for files there: nothing here takes
    /// away more than the processes that use it.
    init() throws {
        let memory = "/dev/shm"
        let place =
            access(memory, W_OK) == 0
            ? URL(filePath: memory) : FileManager.default.temporaryDirectory
        folder = place.appending(path: "larder-faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Where the store is.
    var path: String { url("store.sqlite").path() }

    /// A file in the folder.
    func url(_ name: String) -> URL { folder.appending(path: name) }

    /// The names of all files.
    func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path()))
    }

    /// All files with their contents.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try names() { files[name] = try Data(contentsOf: url(name)) }
        return files
    }

    /// Puts copies of files in place of whatever stands there.
    func put(_ files: [String: Data]) throws {
        for name in try names() { try FileManager.default.removeItem(at: url(name)) }
        for (name, data) in files { try data.write(to: url(name)) }
    }

    /// The files that this process has open here, as Linux tells; none elsewhere.
    func openFiles() -> [String] {
        let descriptors = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
        return numbers.compactMap { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "\(descriptors)/\(number)")
            return target?.hasPrefix(folder.path()) == true ? target : nil
        }
    }
}
