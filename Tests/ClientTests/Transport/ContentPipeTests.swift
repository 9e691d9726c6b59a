import Foundation
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct ContentPipeTests {
    private static func append(_ count: Int, to pipe: ContentPipe) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        try bytes.withUnsafeBytes { try pipe.append($0) }
    }

    @Test func `what has come is read in one part, then what comes next, then the end`()
        async throws
    {
        let pipe = ContentPipe()
        try Self.append(2, to: pipe)
        try Self.append(3, to: pipe)
        #expect(try await pipe.next()?.count == 5)
        async let next = pipe.next()
        try Self.append(4, to: pipe)
        #expect(try await next?.count == 4)
        pipe.finish(.success(()))
        #expect(try await pipe.next() == nil)
        #expect(try await pipe.next() == nil)
    }

    @Test func `the transport pauses while it is full, and goes on once it has been read`()
        async throws
    {
        let pipe = ContentPipe()
        let resumed = Seen<Void>()
        pipe.attach(resume: { resumed.note(()) }, stop: {})
        try Self.append(ContentPipe.capacity - 1, to: pipe)
        #expect(!pipe.pauseIfFull())
        try Self.append(1, to: pipe)
        #expect(pipe.pauseIfFull())
        #expect(resumed.count == 0)
        #expect(try await pipe.next()?.count == ContentPipe.capacity - 1)
        #expect(resumed.count == 1)
        #expect(!pipe.pauseIfFull())
        try Self.append(1, to: pipe)
        #expect(try await pipe.next()?.count == 2)
        #expect(resumed.count == 1)
    }

    @Test func `it goes on once half of what is held has been read, of several parts`()
        async throws
    {
        let pipe = ContentPipe()
        let resumed = Seen<Void>()
        pipe.attach(resume: { resumed.note(()) }, stop: {})
        for _ in 0..<3 { try Self.append(70_000, to: pipe) }
        #expect(pipe.pauseIfFull())
        var counts: [Int] = []
        for _ in 0..<3 {
            #expect(try await pipe.next()?.count == 70_000)
            counts.append(resumed.count)
        }
        #expect(counts == [0, 0, 1])
    }

    @Test func `small parts come together, and large ones as they are`() async throws {
        let pipe = ContentPipe()
        for _ in 0..<1000 { try Self.append(10, to: pipe) }
        try Self.append(200_000, to: pipe)
        try Self.append(1, to: pipe)
        #expect(try await pipe.next()?.count == 10_000)
        #expect(try await pipe.next()?.count == 200_000)
        #expect(try await pipe.next()?.count == 1)
    }

    @Test func `an error comes behind what had come before it`() async throws {
        let pipe = ContentPipe()
        try Self.append(1, to: pipe)
        pipe.finish(.failure(TransportError(.truncatedBody, "Cut off.")))
        #expect(try await pipe.next()?.count == 1)
        let error = await #expect(throws: TransportError.self) { try await pipe.next() }
        #expect(error?.reason == .truncatedBody)
    }

    @Test func `more than the limit is refused, and none of it taken`() async throws {
        let pipe = ContentPipe(maximumCount: 5)
        try Self.append(5, to: pipe)
        let error = #expect(throws: TransportError.self) { try Self.append(1, to: pipe) }
        #expect(error?.reason == .limitExceeded)
        #expect(try await pipe.next()?.count == 5)
    }

    @Test func `giving up stops the transport, and whoever waits`() async throws {
        let pipe = ContentPipe()
        let stopped = Gate()
        pipe.attach(resume: {}, stop: { stopped.open() })
        let reading = Task { try await pipe.next() }
        reading.cancel()
        let error = await #expect(throws: TransportError.self) { try await reading.value }
        #expect(error?.reason == .cancelled)
        #expect(stopped.isOpen)
        // What comes all the same is nobody's.
        try Self.append(1 << 20, to: pipe)
        #expect(!pipe.pauseIfFull())
    }

    @Test func `a stream that nobody has any more is given up`() async throws {
        let pipe = ContentPipe()
        let stopped = Gate()
        pipe.attach(resume: {}, stop: { stopped.open() })
        var stream: ContentStream? = ContentStream(pipe)
        #expect(!stopped.isOpen)
        withExtendedLifetime(stream) {}
        stream = nil
        #expect(stopped.isOpen)
    }

    @Test func `the end of the transfer is told once, also behind it`() {
        let pipe = ContentPipe()
        let ends = Seen<Bool>()
        pipe.onEnd { ends.note((try? $0.get()) != nil) }
        pipe.cancel()
        #expect(ends.values == [])
        pipe.finish(.failure(.cancelled))
        pipe.onEnd { ends.note((try? $0.get()) != nil) }
        #expect(ends.values == [false, false])
    }
}
