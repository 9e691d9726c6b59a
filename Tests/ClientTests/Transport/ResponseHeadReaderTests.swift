import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct ResponseHeadReaderTests {
    @Test func `a head ends with an empty line`() throws {
        var reader = ResponseHeadReader(limits: TransportLimits())
        try reader.read("HTTP/1.1 404 Not Found\r\n")
        try reader.read("Content-Type: text/plain \r\n")
        #expect(!reader.isComplete)
        #expect(reader.head == nil)
        try reader.read("\r\n")
        #expect(reader.isComplete)
        #expect(reader.head?.status.code == 404)
        #expect(reader.head?.status.reasonPhrase == "Not Found")
        #expect(reader.head?.headerFields[.contentType] == "text/plain")
    }

    @Test func `a field that repeats keeps each value, in order`() throws {
        let reader = try ResponseHeadReader(of: ["HTTP/2 200", "Set-Cookie: a", "Set-Cookie: b", ""])
        #expect(reader.head?.headerFields[values: .setCookie] == ["a", "b"])
    }

    @Test func `fields behind the head are trailers, and not read`() throws {
        var reader = try ResponseHeadReader(of: ["HTTP/1.1 200 OK", "Content-Length: 2", ""])
        try reader.read("Content-Length: 3\r\n")
        try reader.read("X-A\r\n")
        #expect(reader.contentLength == 2)
        #expect(reader.head?.headerFields.count == 1)
    }

    @Test(arguments: [
        ("gzip", ContentCoding.gzip), ("X-GZIP", .gzip), ("identity", .identity), ("", .identity),
        ("br", .other), ("gzip, br", .other), ("identity, gzip", .gzip),
    ])
    func `the content coding is recognised`(_ value: String, _ coding: ContentCoding) throws {
        let reader = try ResponseHeadReader(of: ["HTTP/1.1 200 OK", "Content-Encoding: \(value)", ""])
        #expect(reader.contentCoding == coding)
    }

    @Test func `codings in two fields are two codings`() throws {
        let reader = try ResponseHeadReader(
            of: ["HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Encoding: gzip", ""])
        #expect(reader.contentCoding == .other)
    }

    @Test func `interim responses count towards the limit of bytes`() {
        let limits = TransportLimits(headerBytes: 100)
        #expect(throws: TransportError.self) {
            var reader = ResponseHeadReader(limits: limits)
            for _ in 0..<10 {
                try reader.read("HTTP/1.1 100 Continue\r\n")
                try reader.read("\r\n")
            }
        }
    }

    @Test func `random lines are read or refused`() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("HTP/1.20 ab:\r\n\t\0,-é".utf8)
        for _ in 0..<20_000 {
            var reader = ResponseHeadReader(limits: TransportLimits(headerBytes: 1000))
            for _ in 0..<4 {
                let isStart = Bool.random(using: &generator)
                let count = Int.random(in: 0..<30, using: &generator)
                let random = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
                let line = (isStart ? Array("HTTP/1.1 2".utf8) : []) + random
                guard (try? line.withUnsafeBufferPointer { try reader.read($0) }) != nil else { break }
            }
            if let head = reader.head { #expect((200...999).contains(head.status.code)) }
        }
    }
}

extension ResponseHeadReader {
    fileprivate init(of lines: [String]) throws {
        self.init(limits: TransportLimits())
        for line in lines { try read(line + "\r\n") }
    }

    fileprivate mutating func read(_ text: String) throws {
        try Array(text.utf8).withUnsafeBufferPointer { try read($0) }
    }
}
