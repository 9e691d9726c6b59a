import Foundation
import LarderObjectStore

/// Files of content that is too large for a row, in a folder beside the store's file.
///
/// Each is written before its row is, and removed before or with it; what a crash leaves over goes some time later.
/// They are only accessible to their owner.
struct ContentFiles: Sendable {
    let folder: String

    init(besideStoreAt path: String) { folder = path + "-responses" }

    /// The age from which on a file that no row names is taken for one that was left over, rather than one whose row
    /// is about to be written.
    private static let strangerAge = 600.0

    /// The number of bytes from which on content is mapped rather than read into memory.
    private static let mostInMemory = 1 << 20

    /// Writes content, and returns the name of its file.
    func write(_ content: Data) throws -> String {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure }
        let name = UUID().uuidString
        let path = folder + "/" + name
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure }
        do {
            defer { close(descriptor) }
            try content.withUnsafeBytes { try write($0, to: descriptor) }
        } catch {
            unlink(path)
            throw error
        }
        return name
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = Foundation.write(descriptor, part.baseAddress, part.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure }
            rest = rest.dropFirst(written)
        }
    }

    private var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// The content of a file; nil where that is not there, or not of this size.
    ///
    /// A copy without a name is mapped, as others could cut the file short.
    func content(named name: String, count: Int) -> TransportResponse.Content? {
        guard UUID(uuidString: name) != nil else { return nil }
        let path = folder + "/" + name
        if count <= Self.mostInMemory {
            let data = try? Data(contentsOf: URL(filePath: path))
            return data.flatMap { $0.count == count ? .memory($0) : nil }
        }
        guard var spool = try? SpoolFile(),
            (try? spool.append(contentsOf: URL(filePath: path))) != nil, spool.count == count,
            let file = try? spool.mapped()
        else { return nil }
        return .file(file)
    }

    func remove(_ name: String) {
        guard UUID(uuidString: name) != nil else { return }
        unlink(folder + "/" + name)
    }

    /// Removes old files that a closure says are nobody's.
    func removeStrangers(at now: Date, _ strangers: (Set<String>) throws -> Set<String>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let old = names.filter { name in
            let path = folder + "/" + name
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard UUID(uuidString: name) != nil,
                let modified = attributes?[.modificationDate] as? Date
            else { return false }
            return now.timeIntervalSince(modified) > Self.strangerAge
        }
        guard !old.isEmpty, let strangers = try? strangers(Set(old)) else { return }
        for name in strangers { remove(name) }
    }
}
