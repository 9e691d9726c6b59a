public import Foundation
import LarderObjectStore

extension RequestBody {
    /// Sends the content of a file, which is read when the request is built.
    ///
    /// A file above 1 MiB is copied into a temporary one without a name, so that nobody can change it
    /// while it is sent, and takes no memory. One that can't be read, and what is no file, is refused as
    /// ``TransportError/Reason/invalidRequest``.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - contentType: Its type; that of its name's extension unless given, and
    ///     `application/octet-stream` where that is not known.
    public static func file(_ file: URL, contentType: String? = nil) -> RequestBody {
        RequestBody(contentType: contentType ?? FileContent.type(of: file)) {
            try FileContent(of: file).data()
        }
    }
}

/// The content of a file on its way into a body.
struct FileContent {
    /// The size in bytes above which content is not kept in memory.
    static let memoryLimit = 1 << 20

    let size: Int
    private let file: URL

    /// Looks at a file.
    init(of file: URL) throws(TransportError) {
        guard file.isFileURL else {
            throw .invalidRequest("The URL of a body's file names no file.")
        }
        // What stands at the end of symbolic links counts.
        let file = file.resolvingSymlinksInPath()
        let path = file.path(percentEncoded: false)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let attributes else { throw Self.refusal("is not there", at: path) }
        // A pipe would be waited for.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw Self.refusal("is a folder, or no file that has an end", at: path)
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw Self.refusal("may not be read", at: path)
        }
        self.file = file
        size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    /// The bytes, which nobody can change any more.
    func data() throws(TransportError) -> Data {
        guard size <= Self.memoryLimit else {
            return try Self.spooled { (spool) throws(POSIXError) in
                try spool.append(contentsOf: file)
            }
        }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw Self.refusal("could not be read", at: file.path(percentEncoded: false))
        }
    }

    private static func refusal(_ reason: String, at path: String) -> TransportError {
        .invalidRequest("A body's file \(reason): \(path)")
    }

    /// Appends the bytes to a temporary file.
    func append(to spool: inout SpoolFile) throws(POSIXError) {
        try spool.append(contentsOf: file)
    }

    /// What is written into a temporary file without a name.
    static func spooled(
        _ write: (inout SpoolFile) throws(POSIXError) -> Void
    ) throws(TransportError) -> Data {
        do throws(POSIXError) {
            var spool = try SpoolFile()
            try write(&spool)
            return try spool.mapped().data
        } catch {
            throw TransportError(
                .temporaryFile, "Content could not be kept in a temporary file.",
                code: Int(error.code.rawValue))
        }
    }

    /// The media type that the extension of a file's name stands for.
    static func type(of file: URL) -> String {
        types[file.pathExtension.lowercased()] ?? "application/octet-stream"
    }

    private static let types = [
        "7z": "application/x-7z-compressed", "avif": "image/avif", "bmp": "image/bmp",
        "css": "text/css", "csv": "text/csv", "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "htm": "text/html",
        "html": "text/html", "ico": "image/vnd.microsoft.icon", "ics": "text/calendar",
        "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
        "json": "application/json", "m4a": "audio/mp4", "md": "text/markdown",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "ogg": "audio/ogg",
        "pdf": "application/pdf", "png": "image/png",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rtf": "application/rtf", "svg": "image/svg+xml", "tar": "application/x-tar",
        "tif": "image/tiff", "tiff": "image/tiff", "txt": "text/plain", "wav": "audio/wav",
        "webm": "video/webm", "webp": "image/webp",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xml": "application/xml", "zip": "application/zip",
    ]
}
