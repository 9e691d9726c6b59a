import Foundation
import LarderObjectStore

/// Bytes that grow in place and leave without being copied; what is too large for memory goes to a
/// temporary file.
///
/// Memory from `malloc`, because `Data` can take such memory over as it is and `realloc` moves large
/// blocks without copying them.
struct BodyBuffer: ~Copyable {
    /// The number of bytes gathered before they are written behind those in the file.
    private static let pieceSize = 256 << 10
    /// As much memory as is kept for the content that comes next.
    private static let keptSize = 64 << 10

    private var start: UnsafeMutableRawPointer?
    /// The number of bytes of memory allocated.
    private(set) var capacity = 0
    private var limit: Int
    private var memoryLimit: Int
    /// The bytes in memory.
    private var held = 0
    /// The bytes in the file, which come before those.
    private var spooled = 0
    private var file: SpoolFile?
    /// Who takes them instead.
    private var sink: (any ContentWriter)?
    /// Where the memory of bytes that leave piece by piece is from.
    private var blocks: ContentBlocks?
    /// Whether the memory is a block of those.
    private var isBlock = false

    /// The number of bytes held.
    var count: Int { spooled + held }

    init(limit: Int, memoryLimit: Int = .max) {
        self.limit = max(limit, 0)
        self.memoryLimit = max(memoryLimit, 0)
    }

    deinit {
        giveBack()
    }

    /// Starts over with other limits, keeping a little of its memory.
    mutating func begin(limit: Int, memoryLimit: Int = .max) {
        self.limit = max(limit, 0)
        self.memoryLimit = max(memoryLimit, 0)
        removeAll()
    }

    /// Lets somebody else have the bytes, piece by piece, who has a limit of his own.
    mutating func write(to sink: any ContentWriter) {
        self.sink = sink
        limit = .max
        memoryLimit = type(of: sink).keepsBytes ? ContentPipe.capacity : Self.pieceSize
        if type(of: sink).keepsBytes { blocks = .shared }
    }

    /// Hands over the bytes held to whoever takes them.
    mutating func flush() throws(TransportError) {
        if sink != nil { try spool() }
    }

    /// Makes room for `count` bytes in all, as far as the limits allow.
    mutating func reserve(_ count: Int) {
        let wanted = min(max(count, 0), limit, memoryLimit)
        if wanted > capacity { _ = move(to: wanted) }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        guard bytes.count <= limit - count else { throw Self.tooLarge(limit) }
        try makeRoom(for: bytes.count)
        guard let start else { return }
        memcpy(start + held, source, bytes.count)
        held += bytes.count
    }

    /// Lets `fill` write behind the bytes held and adopts as many as it says it wrote.
    mutating func appendUninitialized(
        atLeast room: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(TransportError) -> Int
    ) throws(TransportError) {
        try makeRoom(for: room)
        guard let start else { return }
        // One byte more than the limit tells content that ends there from content that goes on.
        let rest = limit - count
        let space = min(capacity - held, rest == .max ? rest : rest + 1)
        held += try fill(UnsafeMutableRawBufferPointer(start: start + held, count: space))
        guard count <= limit else { throw Self.tooLarge(limit) }
    }

    /// Gives the bytes away and is empty afterwards.
    mutating func takeContent() throws(TransportError) -> TransportResponse.Content {
        if let sink {
            try spool()
            try sink.flush()
            defer { removeAll() }
            return .written(count: spooled)
        }
        guard spooled > 0 else { return .memory(takeData()) }
        try spool()
        guard let file = file.take() else { return .memory(Data()) }
        spooled = 0
        do throws(POSIXError) {
            return .file(try file.mapped())
        } catch {
            throw Self.failed(error)
        }
    }

    /// Hands over the bytes in memory, and keeps those that are not taken away.
    mutating func drain(
        _ work: (inout UnsafeRawBufferPointer) throws(TransportError) -> Void
    ) throws(TransportError) {
        var rest = UnsafeRawBufferPointer(start: start, count: held)
        try work(&rest)
        held = rest.count
        guard held > 0, let start, let left = rest.baseAddress else { return }
        memmove(start, left, held)
    }

    private mutating func takeData() -> Data {
        guard held > 0, let start else { return Data() }
        defer { held = 0 }
        if held <= (isBlock ? ContentBlocks.size / 2 : 4096) {
            let data = Data(bytes: start, count: held)
            // What is quiet from here on is not to keep it.
            if isBlock { release() }
            return data
        }
        if isBlock, let blocks {
            self.start = nil
            (capacity, isBlock) = (0, false)
            return blocks.data(of: start, count: held)
        }
        let exact = realloc(start, held) ?? start
        self.start = nil
        capacity = 0
        return Data(bytesNoCopy: exact, count: held, deallocator: .free)
    }

    mutating func removeAll() {
        if let sink {
            // What has come counts, also where the rest of it doesn't.
            try? spool()
            try? sink.flush()
            self.sink = nil
        }
        if isBlock || capacity > Self.keptSize { release() }
        blocks = nil
        held = 0
        spooled = 0
        file = nil
    }

    /// Makes room in memory behind the bytes held, which go to the file where they are too many.
    private mutating func makeRoom(for room: Int) throws(TransportError) {
        let most =
            isBlock
            ? ContentBlocks.size : spooled > 0 && sink == nil ? Self.pieceSize : memoryLimit
        if room > most - held, !takeBlock(toHold: held + room) { try spool() }
        // Much at a time is likely to be followed by as much.
        if room > capacity - held, room >= Self.keptSize { _ = takeBlock(toHold: held + room) }
        if room > capacity - held { try grow(toHold: held + room) }
    }

    /// Moves the bytes held to a block; false where there is none for them.
    private mutating func takeBlock(toHold needed: Int) -> Bool {
        guard let blocks, !isBlock, needed <= ContentBlocks.size, let block = blocks.take() else {
            return false
        }
        if let start { memcpy(block, start, held) }
        release()
        (start, capacity, isBlock) = (block, ContentBlocks.size, true)
        return true
    }

    /// Moves the bytes held to the file.
    private mutating func spool() throws(TransportError) {
        guard held > 0, let start else { return }
        if let sink, type(of: sink).keepsBytes {
            let count = held
            try sink.append(takeData())
            spooled += count
            return
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: held)
        if let sink {
            do throws(TransportError) {
                try sink.hold(bytes)
            } catch {
                // It may have taken some of them, which must not come twice.
                held = 0
                throw error
            }
        } else {
            do throws(POSIXError) {
                if file == nil { file = try SpoolFile() }
                try file?.append(bytes)
            } catch {
                throw Self.failed(error)
            }
        }
        spooled += held
        held = 0
        if capacity > Self.pieceSize * 4 { _ = move(to: Self.pieceSize) }
    }

    private mutating func grow(toHold needed: Int) throws(TransportError) {
        let wanted = max(needed, min(capacity * 2, limit), 4096)
        guard move(to: wanted) else {
            throw .limitExceeded("There is no memory for \(wanted) bytes of content.")
        }
    }

    /// Moves the bytes held to memory of another size; false where there is none.
    private mutating func move(to size: Int) -> Bool {
        guard let moved = isBlock ? malloc(size) : realloc(start, size) else { return false }
        if isBlock {
            if let start { memcpy(moved, start, held) }
            release()
        }
        (start, capacity) = (moved, size)
        return true
    }

    /// Gives the memory back, with whatever is in it.
    private mutating func release() {
        giveBack()
        (start, capacity, isBlock) = (nil, 0, false)
    }

    private func giveBack() {
        if let start, isBlock, let blocks { blocks.giveBack(start) } else { free(start) }
    }

    private static func tooLarge(_ limit: Int) -> TransportError {
        .limitExceeded("The content exceeds \(limit) bytes.")
    }

    private static func failed(_ error: POSIXError) -> TransportError {
        TransportError(
            .temporaryFile,
            "Content too large for memory could not be kept in a temporary file: "
                + String(cString: strerror(error.code.rawValue)) + ".",
            code: Int(error.code.rawValue))
    }
}
