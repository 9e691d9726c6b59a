#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// Decodes the `zstd` coding (RFC 8878) with windows of at most 8 MiB (RFC 9659), where its library is there.
final class ZstdDecoder: ContentDecoder {
    private static let library = larder_zstd_load()

    static var isAvailable: Bool { library.decode != nil }

    private let context: UnsafeMutableRawPointer
    /// Whether no frame has begun, or the last one has ended.
    private var isBetweenFrames = true

    override var isAtEnd: Bool { isBetweenFrames }

    init(limits: TransportLimits, next: ContentDecoder? = nil) throws(TransportError) {
        guard let create = Self.library.create else { throw ContentCoding.unsupported }
        guard let context = create() else {
            throw TransportError(.other, "The decoder of zstd could not be started.")
        }
        _ = Self.library.set?(
            context, CInt(LARDER_ZSTD_WINDOW_PARAMETER),
            CInt(LARDER_ZSTD_LARGEST_WINDOW))
        self.context = context
        super.init(within: limits, next: next)
    }

    deinit { _ = Self.library.destroy?(context) }

    override func decodeOnce(
        _ bytes: inout UnsafeRawBufferPointer, into body: inout BodyBuffer
    ) throws(TransportError) -> Bool {
        guard let decode = Self.library.decode, let isError = Self.library.is_error else {
            throw ContentCoding.unsupported
        }
        let context = context
        var input = larder_zstd_input(bytes: bytes.baseAddress, count: bytes.count, position: 0)
        var isFull = false
        var result = 0
        try body.appendUninitialized(atLeast: Self.room(for: bytes.count)) {
            (space) throws(TransportError) -> Int in
            var output = larder_zstd_output(
                bytes: space.baseAddress, count: space.count, position: 0)
            result = decode(context, &output, &input)
            isFull = output.position == output.count
            return isError(result) == 0 ? output.position : 0
        }
        guard isError(result) == 0 else { throw Self.damaged }
        bytes = UnsafeRawBufferPointer(rebasing: bytes[input.position...])
        isBetweenFrames = result == 0
        return !bytes.isEmpty || isFull && !isBetweenFrames
    }
}
#endif
