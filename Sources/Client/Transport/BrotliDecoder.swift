#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// Decodes the `br` coding (RFC 7932), where its library is there.
final class BrotliDecoder: ContentDecoder {
    private static let library = larder_brotli_load()

    static var isAvailable: Bool { library.decode != nil }

    private let state: UnsafeMutableRawPointer
    private var hasBegun = false
    private var hasEnded = false

    override var isAtEnd: Bool { hasEnded || !hasBegun }

    init(limits: TransportLimits, next: ContentDecoder? = nil) throws(TransportError) {
        guard let create = Self.library.create else { throw ContentCoding.unsupported }
        guard let state = create(nil, nil, nil) else {
            throw TransportError(.other, "The decoder of brotli could not be started.")
        }
        self.state = state
        super.init(within: limits, next: next)
    }

    deinit { Self.library.destroy?(state) }

    override func decodeOnce(
        _ bytes: inout UnsafeRawBufferPointer, into body: inout BodyBuffer
    ) throws(TransportError) -> Bool {
        guard let decode = Self.library.decode, !hasEnded else { throw Self.damaged }
        hasBegun = true
        let state = state
        var input = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var inputCount = bytes.count
        var isFull = false
        var status: CInt = 0
        try body.appendUninitialized(atLeast: Self.room(for: bytes.count)) {
            (space) throws(TransportError) -> Int in
            var output = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var outputCount = space.count
            status = decode(state, &inputCount, &input, &outputCount, &output, nil)
            isFull = outputCount == 0
            return space.count - outputCount
        }
        bytes = UnsafeRawBufferPointer(rebasing: bytes.suffix(inputCount))
        guard status != CInt(LARDER_BROTLI_ERROR) else { throw Self.damaged }
        hasEnded = status == CInt(LARDER_BROTLI_END)
        return !bytes.isEmpty || isFull && !hasEnded
    }
}
#endif
