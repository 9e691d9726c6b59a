import Foundation

/// The file in which a jar keeps the cookies that outlive the session.
struct CookieFile: Sendable {
    let url: URL

    private struct Content: Codable {
        var version = 1
        var cookies: [CookieStorage.Entry]
    }

    /// Returns what is in the file; nothing where there is none.
    func read() throws(CookieJar.FileError) -> [CookieStorage.Entry] {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch CocoaError.fileReadNoSuchFile {
            return []
        } catch {
            throw CookieJar.FileError(.unreadable, url, underlying: error)
        }
        do {
            let content = try JSONDecoder().decode(Content.self, from: data)
            guard content.version == 1 else { throw CookieJar.FileError(.unknownVersion, url) }
            return content.cookies
        } catch let error as CookieJar.FileError {
            throw error
        } catch {
            // What the decoder says may quote what it has read.
            throw CookieJar.FileError(.malformed, url)
        }
    }

    /// Puts cookies in the place of those that are there, all or none, for the owner alone to read.
    func write(_ entries: [CookieStorage.Entry]) throws(CookieJar.FileError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(Content(cookies: entries))
            let name = ".\(url.lastPathComponent).\(UUID().uuidString)"
            let new = url.deletingLastPathComponent().appending(path: name)
                .path(percentEncoded: false)
            defer { unlink(new) }
            try Self.write(data, to: new)
            guard rename(new, url.path(percentEncoded: false)) == 0 else { throw Self.lastError }
        } catch {
            throw CookieJar.FileError(.unwritable, url, underlying: error)
        }
    }

    /// Removes what was left by processes that ended while they wrote; what is younger than a minute may be at
    /// work.
    func removeRemains() {
        let (folder, files) = (url.deletingLastPathComponent(), FileManager.default)
        let beginning = ".\(url.lastPathComponent)."
        let names = try? files.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        for name in names ?? [] where name.hasPrefix(beginning) {
            guard UUID(uuidString: String(name.dropFirst(beginning.count))) != nil else { continue }
            let path = folder.appending(path: name).path(percentEncoded: false)
            let date = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if let date, date < Date() - 60 { unlink(path) }
        }
    }

    private static func write(_ data: Data, to path: String) throws(POSIXError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw lastError }
        defer { close(descriptor) }
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw lastError }
            rest = rest.dropFirst(written)
        }
        // A name that is there before its content would be an empty jar after a loss of power.
        guard fsync(descriptor) == 0 else { throw lastError }
    }

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
