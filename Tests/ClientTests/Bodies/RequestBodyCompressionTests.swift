#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct RequestBodyCompressionTests {
    private static func decoded(_ gzip: Data) throws -> Data {
        let decoder = try GzipDecoder(limits: TransportLimits(maximumCompressionRatio: .max))
        var body = BodyBuffer(limit: .max, memoryLimit: .max)
        try gzip.withUnsafeBytes { try decoder.decode($0, into: &body) }
        try decoder.finish()
        return try body.takeContent().data
    }

    @Test(arguments: [0, 1, 100, 65_535, 65_536, 1 << 20, (4 << 20) + 3])
    func `content of any size is what it was once decompressed`(_ size: Int) throws {
        var random = SplitMix(seed: UInt64(size))
        let noise = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
        for content in [noise, Data(repeating: 65, count: size)] {
            let body = try RequestBody.data(content).compressed().encoded()
            #expect(try Self.decoded(body.data) == content)
            #expect(body.contentCoding == "gzip")
            #expect(body.contentType == "application/octet-stream")
        }
        let even = try RequestBody.data(Data(repeating: 65, count: size)).compressed().encoded()
        #expect(even.data.count < size / 100 + 40)
    }

    /// The check value of CRC-32/ISO-HDLC.
    @Test func `the checksum is the format's`() {
        #expect(GzipMember.checksum(of: Data("123456789".utf8)) == 0xCBF4_3926)
        #expect(GzipMember.checksum(of: Data()) == 0)
    }

    @Test func `the same content makes the same bytes`() throws {
        let body = RequestBody.text("abc").compressed()
        #expect(try body.encoded().data == body.encoded().data)
    }

    @Test func `the coding is sent, behind one that is there already`() throws {
        struct Upload: Endpoint {
            let path = "x"
            let method = HTTPRequest.Method.post
            var headerFields: HTTPFields = [:]
            var body: RequestBody? = .json([1]).compressed()
        }
        let base = try #require(URL(string: "https://h/"))
        let plain = try Upload().request(baseURL: base)
        #expect(plain.head.headerFields[.contentEncoding] == "gzip")
        #expect(plain.head.headerFields[.contentType] == "application/json")
        #expect(try Self.decoded(#require(plain.body)) == Data("[1]".utf8))
        let coded = try Upload(headerFields: [.contentEncoding: "aes128gcm"])
            .request(baseURL: base)
        #expect(coded.head.headerFields[.contentEncoding] == "aes128gcm, gzip")
        let twice = try Upload(body: .text("a").compressed().compressed()).request(baseURL: base)
        #expect(twice.head.headerFields[.contentEncoding] == "gzip, gzip")
        #expect(try Self.decoded(Self.decoded(#require(twice.body))) == Data("a".utf8))
        let none = try Upload(body: .text("a")).request(baseURL: base)
        #expect(none.head.headerFields[.contentEncoding] == nil)
    }

    @Test func `what can't be encoded throws as ever`() {
        #expect(throws: EncodingError.self) {
            try RequestBody.json([Double.nan]).compressed().encoded()
        }
    }
}
#endif
