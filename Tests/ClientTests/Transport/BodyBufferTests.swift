import Foundation
import LarderPromises
import Testing

@testable import LarderClient

@Suite struct BodyBufferTests {
    @Test(arguments: [0, 1, 4096, 4097, 1_000_000])
    func `bytes come out as they went in`(_ count: Int) throws {
        var buffer = BodyBuffer(limit: 1_000_000)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        for start in stride(from: 0, to: count, by: 1500) {
            try Array(bytes[start..<min(start + 1500, count)]).withUnsafeBytes {
                try buffer.append($0)
            }
        }
        #expect(buffer.count == count)
        #expect(try buffer.takeContent().data == Data(bytes))
        #expect(buffer.count == 0)
        #expect(try buffer.takeContent().data == Data())
    }

    @Test func `what leaves is no longer the buffer's`() throws {
        var buffer = BodyBuffer(limit: 100_000)
        try [UInt8](repeating: 1, count: 50_000).withUnsafeBytes { try buffer.append($0) }
        let first = try buffer.takeContent().data
        try [UInt8](repeating: 2, count: 50_000).withUnsafeBytes { try buffer.append($0) }
        #expect(first == Data(repeating: 1, count: 50_000))
        #expect(try buffer.takeContent().data == Data(repeating: 2, count: 50_000))
    }

    @Test func `the limit is the last byte that fits`() throws {
        var buffer = BodyBuffer(limit: 10)
        try [UInt8](repeating: 0, count: 10).withUnsafeBytes { try buffer.append($0) }
        let kind = [UInt8(1)].withUnsafeBytes { bytes in
            Self.refusal { () throws(TransportError) in try buffer.append(bytes) }
        }
        #expect(kind == .limitExceeded)
        buffer.begin(limit: 11)
        try [UInt8](repeating: 0, count: 11).withUnsafeBytes { try buffer.append($0) }
    }

    @Test func `a reservation stays within the limit`() throws {
        var buffer = BodyBuffer(limit: 10)
        buffer.reserve(.max)
        buffer.reserve(-1)
        try [UInt8](repeating: 7, count: 10).withUnsafeBytes { try buffer.append($0) }
        #expect(try buffer.takeContent().data == Data(repeating: 7, count: 10))
    }

    @Test(arguments: [0, 1, 5000, 300_000, 2_000_000])
    func `what is too large for memory goes to a file`(_ memoryLimit: Int) throws {
        var buffer = BodyBuffer(limit: 1_000_000, memoryLimit: memoryLimit)
        for round in 0..<2 {
            let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ round) }
            for start in stride(from: 0, to: bytes.count, by: 16_000) {
                try Array(bytes[start..<min(start + 16_000, bytes.count)]).withUnsafeBytes {
                    try buffer.append($0)
                }
            }
            #expect(buffer.count == bytes.count)
            let content = try buffer.takeContent()
            if case .file = content {
                #expect(memoryLimit < 1_000_000)
            } else {
                #expect(memoryLimit > 1_000_000)
            }
            #expect(content.data == Data(bytes))
            #expect(buffer.count == 0)
        }
    }

    @Test func `the limit holds in a file, and what was there is gone atEnd`() throws {
        var buffer = BodyBuffer(limit: 1000, memoryLimit: 10)
        try [UInt8](repeating: 1, count: 600).withUnsafeBytes { try buffer.append($0) }
        try [UInt8](repeating: 1, count: 400).withUnsafeBytes { try buffer.append($0) }
        let kind = [UInt8(1)].withUnsafeBytes { bytes in
            Self.refusal { () throws(TransportError) in try buffer.append(bytes) }
        }
        #expect(kind == .limitExceeded)
        buffer.begin(limit: 1000, memoryLimit: 10)
        #expect(buffer.count == 0)
        try [UInt8](repeating: 2, count: 5).withUnsafeBytes { try buffer.append($0) }
        #expect(try buffer.takeContent().data == Data(repeating: 2, count: 5))
    }

    @Test func `the memory of content that nobody took is given back`() throws {
        var buffer = BodyBuffer(limit: 1 << 20)
        try [UInt8](repeating: 1, count: 1 << 20).withUnsafeBytes { try buffer.append($0) }
        #expect(buffer.capacity >= 1 << 20)
        buffer.removeAll()
        #expect(buffer.capacity <= 64 << 10)
        try [UInt8](repeating: 2, count: 1 << 20).withUnsafeBytes { try buffer.append($0) }
        #expect(try buffer.takeContent().data == Data(repeating: 2, count: 1 << 20))
    }

    @Test(arguments: [Int.max, 0, -1, .min])
    func `any number may be a limit`(_ limit: Int) throws {
        var buffer = BodyBuffer(limit: limit, memoryLimit: limit)
        buffer.reserve(limit < 0 ? limit : 10)
        var kind = [UInt8(1)].withUnsafeBytes { bytes in
            Self.refusal { () throws(TransportError) in try buffer.append(bytes) }
        }
        #expect(kind == (limit == .max ? nil : .limitExceeded))
        buffer.begin(limit: limit, memoryLimit: limit)
        kind = Self.refusal { () throws(TransportError) in
            try buffer.appendUninitialized(atLeast: 1) { space in
                space[0] = 1
                return 1
            }
        }
        #expect(kind == (limit == .max ? nil : .limitExceeded))
    }

    /// More than some 4 KB leave with the memory that they came into.
    @Test(arguments: [4, 5000, 200_000, 300_000, 1_000_000])
    func `what is gathered for a reader comes in order, and counts`(_ size: Int) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        let pipe = ContentPipe()
        var buffer = BodyBuffer(limit: 0)
        buffer.write(to: pipe)
        var read = Data()
        for round in 1...3 {
            try bytes.prefix(size / 2).withUnsafeBytes { try buffer.append($0) }
            try bytes.dropFirst(size / 2).withUnsafeBytes { try buffer.append($0) }
            try buffer.flush()
            #expect(buffer.count == round * size)
            while read.count < round * size { read += try #require(try await pipe.next()) }
        }
        #expect(read == Data(bytes + bytes + bytes))
        guard case .written(3 * size) = try buffer.takeContent() else {
            Issue.record("What was handed over does not count.")
            return
        }
    }

    /// The memory of parts that nobody has any more holds those that follow.
    @Test func `what a reader has kept stays what it is, whatever comes behind it`() async throws {
        var random = SplitMix(seed: 11)
        let pipe = ContentPipe()
        var buffer = BodyBuffer(limit: 0)
        buffer.write(to: pipe)
        var (sent, received) = (0, 0)
        var kept: [(start: Int, bytes: Data)] = []
        for _ in 0..<400 {
            let bytes = (0..<Int.random(in: 1...150_000, using: &random)).map {
                Self.byte(at: sent + $0)
            }
            try bytes.withUnsafeBytes { try buffer.append($0) }
            sent += bytes.count
            if Bool.random(using: &random) { try buffer.flush() }
            while pipe.pauseIfFull() {
                var part = try #require(try await pipe.next())
                let start = received
                received += part.count
                switch Int.random(in: 0..<4, using: &random) {
                case 0: kept.append((start, part))
                case 1: kept.append((start + 7, part.dropFirst(7).prefix(100)))
                // A copy that somebody writes to is theirs alone.
                case 2:
                    kept.append((start, part))
                    part.resetBytes(in: part.indices)
                default: part.append(0)
                }
                if kept.count > 8 { kept.remove(at: Int.random(in: 0..<8, using: &random)) }
            }
        }
        #expect(received > 20_000_000)
        for (start, bytes) in kept {
            let isSame = bytes.enumerated().allSatisfy { $1 == Self.byte(at: start + $0) }
            #expect(isSame)
        }
    }

    private static func byte(at place: Int) -> UInt8 { UInt8(truncatingIfNeeded: place &* 31 >> 3) }

    @Test func `a block comes back once nobody has its bytes any more`() throws {
        let blocks = ContentBlocks()
        let first = try #require(blocks.take())
        var data: Data? = blocks.data(of: first, count: 1000)
        let part = data?.dropFirst(900)
        data = nil
        let second = try #require(blocks.take())
        #expect(second != first)
        #expect(part?.count == 100)
        data = blocks.data(of: second, count: 1000)
        data = nil
        let third = try #require(blocks.take())
        #expect(third == second)
        blocks.giveBack(third)
    }

    @Test func `a block of which little is used is given back as that is handed over`() throws {
        var buffer = BodyBuffer(limit: 0)
        buffer.write(to: ContentPipe())
        try [UInt8](repeating: 1, count: 100_000).withUnsafeBytes { try buffer.append($0) }
        #expect(buffer.capacity == ContentBlocks.size)
        try buffer.flush()
        #expect(buffer.capacity == 0 && buffer.count == 100_000)
    }

    @Test func `what may have been written in part is not written again`() throws {
        let writer = ShortWriter()
        var buffer = BodyBuffer(limit: 0)
        buffer.write(to: writer)
        try [UInt8(1), 2, 3, 4].withUnsafeBytes { try buffer.append($0) }
        var refusal: TransportError.Reason?
        do throws(TransportError) { try buffer.flush() } catch { refusal = error.reason }
        #expect(refusal == .temporaryFile)
        buffer.removeAll()
        #expect(writer.written.withLock { $0 } == [1, 2])
    }

    private static func refusal(
        _ work: () throws(TransportError) -> Void
    ) -> TransportError.Reason? {
        do throws(TransportError) {
            try work()
            return nil
        } catch {
            return error.reason
        }
    }
}

/// Takes two bytes, and has no room for more.
private final class ShortWriter: ContentWriter {
    let written = Guarded<[UInt8]>([])

    func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        written.withLock { $0 += bytes.prefix(2) }
        throw TransportError(.temporaryFile, "The disk is full.")
    }
}
