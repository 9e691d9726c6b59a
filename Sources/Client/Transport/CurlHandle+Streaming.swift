#if !canImport(Darwin)
import CLarderCurl
import Foundation

extension CurlHandle {
    /// Whether a transfer that is paused stops all others of its HTTP/2 connection, which is so below 8.14 (curl
    /// #10988, #16955 and #16960).
    static let pausesConnections = larder_curl_version() < 0x08_0E_00

    /// The bytes that libcurl reads at once unless told otherwise.
    static let usualReadSize = 16 << 10

    /// Has more bytes be read at once where each part of them has another thread wake, or goes to a file; most of
    /// all where few exchanges are under way, as each has memory of that size.
    func setReadSize(for request: TransportRequest) {
        let isOfFew = connections.exchangeCount <= 8
        let size = request.sink == nil ? Self.usualReadSize : isOfFew ? 256 << 10 : 128 << 10
        numbers.bufferSize.set(size, on: easy)
    }

    /// Goes on with what has been paused: what had been held back comes from within this call.
    func resume() -> CURLcode {
        silence.resume()
        return curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        if Self.looksAhead, reader.final == nil { return lookAhead(at: bytes, count) }
        // libcurl keeps these bytes, and gives them again.
        if let pipe, pipe.pauseIfFull() { return pause() }
        sharing.connection?.heard &+= 1
        silence.end()
        var isTaken = true
        let taken = accept(count) { () throws(TransportError) in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
            guard bodyReceived + count <= bodyLength else {
                throw .malformedResponse("The content is longer than it says.")
            }
            if let decoder {
                isTaken = try decode(bytes, decoder)
                guard isTaken else { return }
            } else {
                try body.append(bytes)
            }
            bodyReceived += count
            // A file has it at once, as whoever gives it up closes that.
            if pipe == nil { try body.flush() }
        }
        if exchange?.request.sink != nil { connections.haveContent = true }
        return isTaken ? taken : pause()
    }

    /// Copies the next bytes of the content; 0 is its end.
    func giveBody(_ space: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let space, let body = exchange?.request.body else { return 0 }
        let part = body.dropFirst(bodySent).prefix(count)
        part.copyBytes(to: UnsafeMutableRawBufferPointer(start: space, count: count))
        bodySent += part.count
        return part.count
    }

    /// Goes back in the content, which libcurl asks for when a kept connection turns out to be gone.
    func rewindBody(to offset: Int, _ origin: Int32) -> Int32 {
        guard origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
        bodySent = offset
        return CURL_SEEKFUNC_OK
    }

    /// Hands over what has come to whoever reads it, or has a file written, and returns whether the exchange goes on.
    ///
    /// Once libcurl has given all that it has read, as to wake somebody takes longer than to read some more.
    func handOver() -> Bool {
        accept(1) { () throws(TransportError) in
            if pipe != nil {
                try body.flush()
            } else if case .file(let file, _)? = exchange?.request.sink {
                // The loop is to look again.
                if try file.flushIfDue() { connections.haveContent = true }
            }
        } == 1
    }

    /// Decodes bytes as long as their reader has room, and goes on where it had none before; returns whether that is
    /// all of them.
    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ decoder: ContentDecoder
    ) throws(TransportError) -> Bool {
        let done = min(decodedAhead, bytes.count)
        var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(done))
        let pipe = pipe
        let isAll = try decoder.decode(&rest, of: bodyReceived + bytes.count, into: &body) {
            (body) throws(TransportError) in
            guard let pipe else { return true }
            try body.flush()
            return !pipe.pauseIfFull()
        }
        decodedAhead += isAll ? -done : bytes.count - done - rest.count
        return isAll
    }

    private func pause() -> Int {
        silence.pause()
        return Int(CURL_WRITEFUNC_PAUSE)
    }
}
#endif
