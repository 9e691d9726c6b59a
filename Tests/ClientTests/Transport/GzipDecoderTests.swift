#if !canImport(Darwin)
import Foundation
import Testing

@testable import LarderClient

@Suite struct GzipDecoderTests {
    @Test(arguments: [0, 1, 1000, 65_535, 65_536, 300_000])
    func `content of any size is decoded`(_ count: Int) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(try Self.decode(Gzip.stored(content)) == Data(content))
        let spooled = TransportLimits(maximumMemory: 1000)
        #expect(try Self.decode(Gzip.stored(content), limits: spooled) == Data(content))
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func `content may come in pieces of any size`(_ size: Int) throws {
        let content = Array("[{\"id\": 1}]".utf8)
        let gzip = Gzip.stored(content) + Gzip.stored(content)
        #expect(try Self.decode(gzip, in: size) == Data(content + content))
    }

    @Test func `every truncation is noticed`() throws {
        let gzip = Gzip.stored("[{\"id\": 1}]")
        for count in 1..<gzip.count {
            #expect(throws: TransportError.self) { try Self.decode(Array(gzip.prefix(count))) }
        }
    }

    @Test func `every flipped bit behind the header is noticed, or without effect`() throws {
        let text = "[{\"id\": 1}]"
        let gzip = Gzip.stored(text)
        for index in 10..<gzip.count {
            for bit in 0..<8 {
                var damaged = gzip
                damaged[index] ^= 1 << UInt8(bit)
                // The block's first byte ends in five bits that nobody reads.
                if let content = try? Self.decode(damaged) {
                    #expect(index == 10 && bit > 2)
                    #expect(content == Data(text.utf8))
                }
            }
        }
    }

    @Test func `content that ends at the limit passes, one byte more does not`() throws {
        let bomb = Gzip.zeros(10)
        let exact = TransportLimits(maximumBodySize: 2581)
        #expect(try Self.decode(bomb, limits: exact).count == 2581)
        #expect(throws: TransportError.self) {
            try Self.decode(bomb, limits: TransportLimits(maximumBodySize: 2580))
        }
    }

    @Test func `no limit is no limit`() throws {
        let limits = TransportLimits(
            maximumBodySize: .max, maximumMemory: .max, maximumHeaderSize: .max,
            maximumHeaderFieldCount: .max,
            maximumCompressionRatio: .max)
        #expect(try Self.decode(Gzip.zeros(8200), limits: limits).count == 1 + 8200 * 258)
    }

    @Test(arguments: [0, -1, .min])
    func `a limit below one lets nothing through`(_ value: Int) throws {
        let bytes = TransportLimits(maximumBodySize: value, maximumMemory: value)
        #expect(throws: TransportError.self) { try Self.decode(Gzip.stored("a"), limits: bytes) }
        let ratio = TransportLimits(maximumCompressionRatio: value)
        #expect(throws: TransportError.self) { try Self.decode(Gzip.zeros(8200), limits: ratio) }
        #expect(try Self.decode(Gzip.stored("a"), limits: ratio) == Data("a".utf8))
    }

    @Test func `empty members count as they come`() throws {
        let members = Array(repeating: Gzip.stored(""), count: 100).flatMap(\.self)
        #expect(try Self.decode(members, in: 50).isEmpty)
        let error = #expect(throws: TransportError.self) {
            try Self.decode(members, in: 50, limits: TransportLimits(maximumBodySize: 1000))
        }
        #expect(error?.reason == .limitExceeded)
    }

    @Test(arguments: [1, 2, 1000])
    func `zeros and line breaks behind a member are passed over`(_ size: Int) throws {
        let padded = Gzip.stored("ab") + [0, 0, 13, 10]
        #expect(try Self.decode(padded, in: size) == Data("ab".utf8))
        #expect(try Self.decode(padded + Gzip.stored("c"), in: size) == Data("abc".utf8))
        #expect(throws: TransportError.self) { try Self.decode(padded + [1], in: size) }
        #expect(throws: TransportError.self) { try Self.decode([0] + padded, in: size) }
    }

    private static func decode(
        _ bytes: [UInt8], in size: Int = .max, limits: TransportLimits = TransportLimits()
    ) throws -> Data {
        let decoder = try GzipDecoder(limits: limits)
        var body = BodyBuffer(limit: limits.maximumBodySize, memoryLimit: limits.maximumMemory)
        var rest = bytes[...]
        while !rest.isEmpty {
            try Array(rest.prefix(size)).withUnsafeBytes { try decoder.decode($0, into: &body) }
            rest = rest.dropFirst(size)
        }
        try decoder.finish()
        return try body.takeContent().data
    }
}
#endif
