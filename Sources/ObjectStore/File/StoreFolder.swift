import Foundation

/// A folder that only its owner can look into, gone with its last user.
final class StoreFolder: Sendable {
    let path: String

    init() throws(StoreError) {
        let template = FileManager.default.temporaryDirectory
            .appending(path: "larder-XXXXXX").path(percentEncoded: false)
        var name = template.utf8CString
        let made = name.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else {
            throw StoreError(
                StoreError.Code(systemError: errno) ?? .cannotOpen,
                String(cString: strerror(errno)),
                path: template)
        }
        path = made
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
