package import Foundation

/// A temporary file without a name, for what is too large for memory.
///
/// Its name is taken away as soon as it is made, so that nothing is left behind however the process
/// ends. Only the owner may read it (mode 0600). It lies in the temporary directory (`TMPDIR`).
package struct SpoolFile: ~Copyable {
    private let descriptor: Int32
    /// The number of bytes that have been written.
    package private(set) var count = 0

    /// Makes an empty file.
    ///
    /// - Throws: The system's error, such as `ENOSPC` where there is no room.
    package init(
        in folder: URL = URL(filePath: NSTemporaryDirectory())
    ) throws(POSIXError) {
        let path = folder.appending(path: "larder-spool-\(UUID().uuidString)")
            .path(percentEncoded: false)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(lastCode) }
        unlink(path)
    }

    deinit { close(descriptor) }

    /// Writes bytes behind those that are there.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(POSIXError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = write(descriptor, part.baseAddress, part.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw POSIXError(lastCode) }
            rest = rest.dropFirst(written)
            count += written
        }
    }

    /// Writes the bytes of a file behind those that are there, as they are now.
    package mutating func append(contentsOf file: URL) throws(POSIXError) {
        let source = open(file.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw POSIXError(lastCode) }
        defer { close(source) }
        let size = 1 << 20
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let received = read(source, buffer.baseAddress, size)
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw POSIXError(lastCode) }
            if received == 0 { return }
            try append(UnsafeRawBufferPointer(rebasing: buffer.prefix(received)))
        }
    }

    /// Ends writing and maps what has been written.
    package consuming func mapped() throws(POSIXError) -> MappedFile {
        try MappedFile(descriptor: descriptor, count: count)
    }
}

/// The error code of the last system call that failed (`errno`).
var lastCode: POSIXErrorCode { POSIXErrorCode(rawValue: errno) ?? .EIO }
