import Foundation

/// Bytes that grow in place and leave without being copied.
///
/// Memory from `malloc`, because `Data` can take such memory over as it is and `realloc` moves large
/// blocks without copying them.
struct BodyBuffer: ~Copyable {
    private var start: UnsafeMutableRawPointer?
    private var capacity = 0
    private var limit: Int

    /// The number of bytes held.
    private(set) var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    deinit {
        free(start)
    }

    /// Starts over with another limit, keeping its memory.
    mutating func begin(limit: Int) {
        self.limit = limit
        count = 0
    }

    /// Makes room for `count` bytes in all, as far as the limit allows.
    mutating func reserve(_ count: Int) {
        let wanted = min(max(count, 0), limit)
        guard wanted > capacity, let moved = realloc(start, wanted) else { return }
        start = moved
        capacity = wanted
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        guard bytes.count <= limit - count else { throw Self.tooLarge(limit) }
        if bytes.count > capacity - count { try grow(toHold: count + bytes.count) }
        guard let start else { return }
        memcpy(start + count, source, bytes.count)
        count += bytes.count
    }

    /// Lets `fill` write behind the bytes held and adopts as many as it says it wrote.
    mutating func appendUninitialized(
        atLeast room: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(TransportError) -> Int
    ) throws(TransportError) {
        if room > capacity - count { try grow(toHold: count + room) }
        guard let start else { return }
        // One byte more than the limit tells content that ends there from content that goes on.
        let space = min(capacity - count, limit - count + 1)
        count += try fill(UnsafeMutableRawBufferPointer(start: start + count, count: space))
        guard count <= limit else { throw Self.tooLarge(limit) }
    }

    /// Gives the bytes away and is empty afterwards.
    mutating func takeData() -> Data {
        guard count > 0, let start else { return Data() }
        defer { count = 0 }
        if count <= 4096 { return Data(bytes: start, count: count) }
        let exact = realloc(start, count) ?? start
        self.start = nil
        capacity = 0
        return Data(bytesNoCopy: exact, count: count, deallocator: .free)
    }

    mutating func removeAll() {
        count = 0
    }

    private mutating func grow(toHold needed: Int) throws(TransportError) {
        let wanted = max(needed, min(capacity * 2, limit), 4096)
        guard let moved = realloc(start, wanted) else {
            throw .limitExceeded("There is no memory for \(wanted) bytes of content.")
        }
        start = moved
        capacity = wanted
    }

    private static func tooLarge(_ limit: Int) -> TransportError {
        .limitExceeded("The content exceeds \(limit) bytes.")
    }
}
