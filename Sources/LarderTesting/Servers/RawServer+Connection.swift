import FlyingSocks
import Foundation
import LarderPromises

extension RawServer {
    /// One accepted connection; its methods block the calling thread.
    public final class Connection: Sendable {
        private let socket: Socket
        private let isClosed = Guarded(false)

        init(_ socket: Socket) {
            self.socket = socket
        }

        /// Reads a request's head, up to 64 KiB, and the content that its `Content-Length` declares.
        public func readRequest() throws -> String {
            var bytes: [UInt8] = []
            var end: Int?
            while bytes.count < end ?? 64 << 10 {
                bytes += try socket.read(atMost: 16 << 10)
                end = end ?? Self.end(of: bytes)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Reads at least one byte, and at most `count`.
        public func read(atMost count: Int) throws -> [UInt8] {
            try socket.read(atMost: count)
        }

        /// Sends text as it is.
        public func send(_ text: String) throws {
            try send(Array(text.utf8))
        }

        /// Sends bytes as they are.
        public func send(_ bytes: [UInt8]) throws {
            let data = Data(bytes)
            var sent = data.startIndex
            while sent < data.endIndex {
                sent = try socket.write(data, from: sent)
            }
        }

        /// Reads until the client closes its side or the server is stopped.
        public func waitForClose() {
            while (try? socket.read(atMost: 16 << 10)) != nil {}
        }

        /// Ends both directions at once, so that a thread that blocks on the socket comes back.
        func shutDown() {
            isClosed.withLock { isClosed in
                if !isClosed { _ = shutdown(socket.file.rawValue, Int32(SHUT_RDWR)) }
            }
        }

        func close() {
            isClosed.withLock { isClosed in
                guard !isClosed else { return }
                isClosed = true
                try? socket.close()
            }
        }

        /// Returns the number of the request's bytes, content included, once its head is complete.
        private static func end(of bytes: [UInt8]) -> Int? {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n") else { return nil }
            let length = text[..<head.lowerBound].lowercased()
                .components(separatedBy: "\r\n")
                .first { $0.hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
            return text[..<head.upperBound].utf8.count + (length ?? 0)
        }
    }
}
