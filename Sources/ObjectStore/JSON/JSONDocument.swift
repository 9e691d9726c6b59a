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
    /// How deeply arrays and objects may be nested unless another limit is given.
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

    /// The document's outermost value.
    public var root: JSONValue {
        JSONValue(storage: storage, node: 0)
    }

    /// Owns a document's bytes and nodes.
    ///
    /// Unchecked because it holds pointers; nothing writes through them once `init` is done.
    final class Storage: @unchecked Sendable {
        /// Below this size `Data` may keep its bytes inside itself, and a copy costs nothing.
        private static let copyLimit = 4096

        /// Keeps the bytes in their place: whoever else holds them has to copy before writing.
        private let owner: Data?
        private let bytes: UnsafePointer<UInt8>
        private let nodes: UnsafePointer<UInt64>
        /// How deeply the document's containers are nested.
        let depth: Int

        init(_ data: Data, depthLimit: Int) throws(JSONError) {
            owner = data.count > Self.copyLimit ? data : nil
            bytes = data.withUnsafeBytes { source in
                let address = source.assumingMemoryBound(to: UInt8.self).baseAddress
                guard let address, source.count > Self.copyLimit else { return Self.copy(source) }
                return address
            }
            do {
                let parser = JSONParser(bytes: bytes, count: data.count, depthLimit: depthLimit)
                (nodes, depth) = try parser.parse()
            } catch {
                if owner == nil { bytes.deallocate() }
                throw error
            }
        }

        deinit {
            if owner == nil { bytes.deallocate() }
            nodes.deallocate()
        }

        private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
            for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: byte) }
            return UnsafePointer(copy)
        }

        /// The tape, valid while this storage is alive.
        var tape: JSONTape {
            JSONTape(bytes: bytes, nodes: nodes)
        }
    }
}
