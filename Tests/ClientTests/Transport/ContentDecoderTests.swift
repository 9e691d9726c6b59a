#if !canImport(Darwin)
import Foundation
import Testing

@testable import LarderClient

/// What holds for each coding; GzipDecoderTests have more of the one.
@Suite struct ContentDecoderTests {
    /// A coding whose decoder is here, with content in it.
    struct Coding: Sendable, CustomTestStringConvertible {
        let name: String
        let coding: ContentCoding
        let stored: @Sendable ([UInt8]) -> [UInt8]
        /// More than 2 MB of zeros.
        let bomb: [UInt8]

        var testDescription: String { name }

        static let all = [
            Coding(name: "gzip", coding: .gzip, stored: Gzip.stored, bomb: Gzip.zeros(8200)),
            Coding(name: "br", coding: .brotli, stored: Brotli.stored, bomb: Brotli.bomb),
            Coding(name: "zstd", coding: .zstd, stored: Zstd.stored, bomb: Zstd.zeros(17)),
        ].filter { ContentCoding.offered.contains($0.name) }
    }

    @Test func `what is offered is what can be decoded`() {
        let names = ContentCoding.offered.components(separatedBy: ", ")
        #expect(names.first == "gzip")
        #expect(names.count == Coding.all.count)
        #expect(names.contains("br") == BrotliDecoder.isAvailable)
        #expect(names.contains("zstd") == ZstdDecoder.isAvailable)
    }

    @Test(arguments: Coding.all, [0, 1, 1000, 65_535, 65_536])
    func `content of any size is decoded, in pieces of any size`(
        _ coding: Coding, _ count: Int
    ) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let encoded = coding.stored(content)
        for size in [Int.max, 16_384, 1000] {
            #expect(try decode(encoded, [coding.coding], in: size) == Data(content))
        }
        if count < 2000 { #expect(try decode(encoded, [coding.coding], in: 1) == Data(content)) }
        let spooled = TransportLimits(maximumMemory: 1000)
        #expect(try decode(encoded, [coding.coding], limits: spooled) == Data(content))
    }

    @Test(arguments: Coding.all)
    func `every truncation is noticed`(_ coding: Coding) throws {
        let encoded = coding.stored(Array("[{\"id\": 1}]".utf8))
        for count in 1..<encoded.count {
            let error = #expect(throws: TransportError.self) {
                try decode(Array(encoded.prefix(count)), [coding.coding])
            }
            #expect(error?.reason == .truncatedBody, "\(count)")
        }
    }

    @Test(arguments: Coding.all)
    func `what stands behind the end is noticed`(_ coding: Coding) throws {
        let encoded = coding.stored(Array("[]".utf8))
        for garbage in [[1], [1, 2, 3], Array("<html>".utf8)] as [[UInt8]] {
            for size in [Int.max, 1] {
                let error = #expect(throws: TransportError.self) {
                    try decode(encoded + garbage, [coding.coding], in: size)
                }
                #expect(error?.reason == .malformedResponse || error?.reason == .truncatedBody)
            }
        }
    }

    @Test(arguments: Coding.all)
    func `what is something else is noticed`(_ coding: Coding) throws {
        for text in ["[{\"id\": 1}]", "<html></html>", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"] {
            #expect(throws: TransportError.self) { try decode(Array(text.utf8), [coding.coding]) }
        }
    }

    @Test(arguments: Coding.all)
    func `a bomb meets the limits on size and ratio`(_ coding: Coding) throws {
        let unlimited = TransportLimits(
            maximumBodySize: .max, maximumMemory: .max, maximumCompressionRatio: .max)
        let count = try decode(coding.bomb, [coding.coding], limits: unlimited).count
        #expect(count >= 2_000_000)
        #expect(
            try decode(
                coding.bomb, [coding.coding],
                limits: TransportLimits(maximumBodySize: count, maximumCompressionRatio: .max)
            ).count == count)
        for limits in [
            TransportLimits(maximumBodySize: count - 1, maximumCompressionRatio: .max),
            TransportLimits(maximumCompressionRatio: 100),
        ] {
            let error = #expect(throws: TransportError.self) {
                try decode(coding.bomb, [coding.coding], limits: limits)
            }
            #expect(error?.reason == .limitExceeded)
        }
    }

    @Test(.enabled(if: ZstdDecoder.isAvailable, "There is no library that decodes zstd."))
    func `a window of more than 8 MiB is refused`() throws {
        #expect(try decode(Zstd.zeros(1, windowLog: 23), [.zstd]).count == 128 << 10)
        let error = #expect(throws: TransportError.self) {
            try decode(Zstd.zeros(1, windowLog: 24), [.zstd])
        }
        #expect(error?.reason == .malformedResponse)
    }

    @Test func `codings in codings are decoded, five at most`() throws {
        let content = Array("[{\"id\": 1}]".utf8)
        for first in Coding.all {
            for second in Coding.all {
                let codings = [first, second, first, second, first]
                let encoded = codings.reduce(content) { $1.stored($0) }
                for size in [Int.max, 1] {
                    #expect(
                        try decode(encoded, codings.map(\.coding), in: size) == Data(content))
                }
                for count in 1..<encoded.count {
                    #expect(throws: TransportError.self) {
                        try decode(Array(encoded.prefix(count)), codings.map(\.coding))
                    }
                }
            }
        }
        let error = #expect(throws: TransportError.self) {
            try decode([], Array(repeating: .gzip, count: 6))
        }
        #expect(error?.reason == .limitExceeded)
    }

    @Test func `a coding within that ends early is noticed`() throws {
        let half = Array(Gzip.stored("[{\"id\": 1}]").dropLast(3))
        let error = #expect(throws: TransportError.self) {
            try decode(Gzip.stored(half), [.gzip, .gzip])
        }
        #expect(error?.reason == .truncatedBody)
    }

    @Test(arguments: Coding.all)
    func `a bomb within a bomb meets the limits of each`(_ coding: Coding) throws {
        let encoded = Gzip.stored(coding.bomb)
        let error = #expect(throws: TransportError.self) {
            try decode(
                encoded, [coding.coding, .gzip], limits: TransportLimits(maximumBodySize: 1 << 20))
        }
        #expect(error?.reason == .limitExceeded)
        #expect(throws: TransportError.self) {
            try decode(
                Gzip.zeros(8200), [coding.coding, .gzip],
                limits: TransportLimits(maximumBodySize: 1 << 20))
        }
    }

    @Test(.enabled(if: ZstdDecoder.isAvailable))
    func `codings in codings make no more of what comes than one may`() throws {
        let error = #expect(throws: TransportError.self) {
            try decode(Zstd.nestedZeros(100), [.zstd, .zstd])
        }
        #expect(error?.reason == .limitExceeded)
        let limits = TransportLimits(maximumCompressionRatio: 10_000)
        let content = try decode(Zstd.nestedZeros(100), [.zstd, .zstd], limits: limits)
        #expect(content.count == 100 * (128 << 10 + 440))
    }

    @Test(arguments: [[.gzip], [.gzip, .gzip], [.gzip, .gzip, .gzip]] as [[ContentCoding]])
    func `decoding goes on where there was no room`(_ codings: [ContentCoding]) throws {
        let zeros = Gzip.zeros(2000)
        let encoded = codings.dropFirst().reduce(zeros) { content, _ in Gzip.stored(content) }
        let decoder = try #require(
            try ContentCoding.decoder(of: codings, limits: TransportLimits()))
        var body = BodyBuffer(limit: .max)
        var rounds = 0
        let starts = Array(stride(from: 0, to: encoded.count, by: 1000))
        for start in starts {
            let piece = Array(encoded[start..<min(start + 1000, encoded.count)])
            try piece.withUnsafeBytes { bytes in
                var rest = bytes
                var isAll = false
                while !isAll {
                    rounds += 1
                    var turns = 0
                    isAll = try decoder.decode(&rest, of: start + piece.count, into: &body) { _ in
                        turns += 1
                        return turns == 1
                    }
                }
            }
        }
        try decoder.finish()
        #expect(body.count == 2000 * 258 + 1)
        #expect(rounds > starts.count * 2)
    }

    @Test func `an unknown coding is refused, wherever it stands`() {
        for codings in [[nil], [nil, .gzip], [.gzip, nil]] as [[ContentCoding?]] {
            let error = #expect(throws: TransportError.self) { try decode([], codings) }
            #expect(error?.reason == .unsupportedContentEncoding)
        }
    }

    @Test func `no coding is no decoder`() throws {
        #expect(try ContentCoding.decoder(of: [], limits: TransportLimits()) === nil)
    }

    private func decode(
        _ bytes: [UInt8], _ codings: [ContentCoding?], in size: Int = .max,
        limits: TransportLimits = TransportLimits()
    ) throws -> Data {
        let decoder = try ContentCoding.decoder(of: codings, limits: limits)
        var body = BodyBuffer(limit: limits.maximumBodySize, memoryLimit: limits.maximumMemory)
        var rest = bytes[...]
        while !rest.isEmpty {
            try Array(rest.prefix(size)).withUnsafeBytes { try decoder?.decode($0, into: &body) }
            rest = rest.dropFirst(size)
        }
        try decoder?.finish()
        return try body.takeContent().data
    }
}
#endif
