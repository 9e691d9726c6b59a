public import Foundation

/// A JSON document, parsed into a tape over its bytes.
///
/// Parsing is strict (RFC 8259, UTF-8): it either takes the whole document or throws. Values are
/// read from the bytes when they are asked for, so that what nobody asks for costs nothing. Large
/// bytes are not copied: they are kept as long as the document or a value of it.
///
/// Where the RFC leaves a choice: numbers of any size are taken as they are spelled, and read as
/// nil by a type that they do not fit. Bytes that are not UTF-8 (UTF-16 among them), half of a
/// surrogate pair in an escape, and nesting deeper than the limit are refused. A byte order mark at
/// the start is ignored. Where an object has the same key twice, the last one counts; keys are the
/// same when their bytes are, once escapes are resolved.
public struct JSONDocument: Sendable {
    /// The limit on the nesting of arrays and objects unless another one is given.
    public static let defaultDepthLimit = 512

    let storage: Storage

    /// Parses a document.
    ///
    /// - Throws: `JSONError` with line, column and path of the first mistake.
    public init(
        _ data: Data, depthLimit: Int = JSONDocument.defaultDepthLimit
    ) throws(JSONError) {
        storage = try Storage(data, depthLimit: depthLimit)
    }

    /// Parses a document given as text.
    ///
    /// - Throws: `JSONError` with line, column and path of the first mistake.
    public init(
        _ text: String, depthLimit: Int = JSONDocument.defaultDepthLimit
    ) throws(JSONError) {
        try self.init(Data(text.utf8), depthLimit: depthLimit)
    }

    /// Parses a file.
    ///
    /// The file is copied into a temporary file without a name first, so that nobody can change it
    /// while it is read; the copy takes its room on the disk (in `TMPDIR`) as long as the document
    /// is alive. Arrays longer than 1 MiB are not kept in memory: their elements are read from the
    /// file again when they are walked, some at a time, so that a document of a gigabyte costs a few
    /// megabytes. Long objects are kept.
    ///
    /// - Throws: `JSONError` with file, line, column and path of the first mistake, `POSIXError`
    ///   where the file can't be read or there is no room for the copy.
    public init(
        contentsOf file: URL, depthLimit: Int = JSONDocument.defaultDepthLimit
    ) throws {
        var copy = try SpoolFile()
        try copy.append(contentsOf: file)
        let path = file.path(percentEncoded: false)
        do {
            storage = try Storage(
                copy.mapped(), path: path, depthLimit: depthLimit, longArray: Self.longArray)
        } catch var error as JSONError {
            error.file = path
            throw error
        }
    }

    /// Parses a mapped file; arrays longer than a limit are walked without being kept in memory.
    package init(
        _ file: MappedFile, depthLimit: Int = JSONDocument.defaultDepthLimit,
        longArray: Int = JSONDocument.longArray
    ) throws(JSONError) {
        storage = try Storage(file, depthLimit: depthLimit, longArray: longArray)
    }

    /// The size in bytes above which an array is not kept in memory but walked from the file.
    package static let longArray = 1 << 20

    /// The document's outermost value.
    public var root: JSONValue {
        JSONValue(storage: storage, node: 0)
    }
}
