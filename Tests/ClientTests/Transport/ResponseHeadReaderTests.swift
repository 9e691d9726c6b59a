import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct ResponseHeadReaderTests {
    @Test func `a head ends with an empty line`() throws {
        var reader = ResponseHeadReader()
        try reader.read("HTTP/1.1 404 Not Found\r\n")
        try reader.read("Content-Type: text/plain \r\n")
        #expect(reader.head == nil)
        try reader.read("\r\n")
        let message = try #require(reader.head?.message)
        #expect(message.status.code == 404)
        #expect(message.status.reasonPhrase == "Not Found")
        #expect(message.headerFields[.contentType] == "text/plain")
    }

    @Test func `fields behind the head are trailers, and not read`() throws {
        var reader = try ResponseHeadReader(of: ["HTTP/1.1 200 OK", "Content-Length: 2", ""])
        try reader.read("Content-Length: 3\r\n")
        try reader.read("X-A\r\n")
        #expect(reader.head?.contentLength == 2)
        #expect(reader.head?.message.headerFields.count == 1)
    }

    @Test func `the same head again is the same, another is another`() throws {
        var reader = try ResponseHeadReader(of: ["HTTP/1.1 200 OK", "ETag: 1", ""])
        for tag in ["1", "1", "2", "1", "2", "2"] {
            reader.begin(limits: TransportLimits())
            #expect(reader.head == nil)
            try reader.read("HTTP/1.1 200 OK\r\n")
            try reader.read("ETag: \(tag)\r\n")
            try reader.read("\r\n")
            #expect(reader.head?.message.headerFields[.eTag] == tag)
        }
    }

    @Test func `a head that was read is refused where less is allowed`() throws {
        var reader = try ResponseHeadReader(of: ["HTTP/1.1 200 OK", "A: 1", "B: 2", ""])
        for limits in [
            TransportLimits(maximumHeaderFieldCount: 1), TransportLimits(maximumHeaderSize: 20),
        ] {
            reader.begin(limits: limits)
            #expect(throws: TransportError.self) {
                for line in ["HTTP/1.1 200 OK", "A: 1", "B: 2", ""] {
                    try reader.read(line + "\r\n")
                }
            }
        }
    }

    @Test func `the line behind a status is told, in each head`() throws {
        var reader = ResponseHeadReader()
        for head in [["HTTP/1.1 103 Early", "A: 1", "B: 2", ""], ["HTTP/1.1 200 OK", "A: 1", ""]] {
            for (index, line) in head.enumerated() {
                #expect(reader.isAtFirstField == (index == 1))
                try reader.read(line + "\r\n")
            }
        }
        reader.begin(limits: TransportLimits())
        #expect(!reader.isAtFirstField)
    }

    @Test func `interim responses are passed over, and count towards the limit`() throws {
        let reader = try ResponseHeadReader(
            of: [
                "HTTP/1.1 103 Early", "A: 1", "", "HTTP/1.1 100 Continue", "", "HTTP/2 201", "B: 2",
                "",
            ])
        #expect(reader.head?.message.status == .created)
        #expect(reader.head?.message.headerFields.count == 1)
        #expect(throws: TransportError.self) {
            var reader = ResponseHeadReader()
            reader.begin(limits: TransportLimits(maximumHeaderSize: 100))
            for _ in 0..<10 {
                try reader.read("HTTP/1.1 100 Continue\r\n")
                try reader.read("\r\n")
            }
        }
    }

    /// The law: a head is what it is by itself, whatever was read before it.
    @Test(arguments: 0..<40)
    func `heads that are much like the last are read as any`(_ seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        func line(_ random: inout SplitMix) -> String {
            let names = [
                "A", "a", "B", "ETag", "Content-Length", "content-length", "Transfer-Encoding",
                "Content-Encoding", "é", "", "A ",
            ]
            let values = ["", "1", "2", " 1 ", "gzip", "chunked", "identity, gzip", "ü", "a:b"]
            let ends = ["\r\n", "\r\n", "\r\n", "\n", "\r\r\n"]
            // Mostly those that are sound.
            let few = Int.random(in: 0..<8, using: &random) > 0
            let name = (few ? names.prefix(5) : names[...]).randomElement(using: &random) ?? ""
            let value = (few ? values.prefix(5) : values[...]).randomElement(using: &random) ?? ""
            let end = ends.randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<20, using: &random) {
            case 0: return " more\(end)"
            case 1: return "\t\(end)"
            case 2: return "\(name)\(end)"
            case 3: return "\(name): \(value)\r\(value)\(end)"
            default: return "\(name):\(value)\(end)"
            }
        }
        var reader = ResponseHeadReader()
        var lines = (0..<4).map { _ in line(&random) }
        for _ in 0..<200 {
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0...lines.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: lines.insert(line(&random), at: place)
                case 1 where place < lines.count: lines.remove(at: place)
                case 2 where place < lines.count: lines[place] = line(&random)
                default: break
                }
            }
            if lines.count > 8 { lines.removeFirst(4) }
            let limits = TransportLimits(
                maximumHeaderFieldCount: Int.random(in: 0..<9, using: &random) == 0 ? 3 : 100)
            let text = ["HTTP/1.1 200 OK\r\n"] + lines + ["\r\n"]
            reader.begin(limits: limits)
            var failure: TransportError?
            do {
                for line in text { try reader.read(line) }
            } catch { failure = error as? TransportError }
            do throws(TransportError) {
                let head = try ResponseHead(parsing: Array(text.joined().utf8), limits: limits)
                let found = reader.head
                #expect(failure == nil, "\(text)")
                #expect(
                    found.map { Array($0.message.headerFields) }
                        == Array(head.message.headerFields), "\(text)")
                #expect(found?.contentLength == head.contentLength)
                #expect(found?.contentCodings == head.contentCodings)
                #expect(found?.hasUnknownTransferCoding == head.hasUnknownTransferCoding)
            } catch {
                #expect(failure?.message == error.message, "\(text)")
                #expect(reader.head == nil)
            }
        }
    }

    @Test func `random lines are read or refused`() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("HTP/1.20 ab:\r\n\t\0,-é".utf8)
        for _ in 0..<3000 {
            var reader = ResponseHeadReader()
            reader.begin(limits: TransportLimits(maximumHeaderSize: 1000))
            for _ in 0..<4 {
                let isStart = Bool.random(using: &generator)
                let count = Int.random(in: 0..<30, using: &generator)
                let random = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
                let line = (isStart ? Array("HTTP/1.1 2".utf8) : []) + random + [13, 10]
                guard (try? line.withUnsafeBufferPointer { try reader.read($0) }) != nil else {
                    break
                }
            }
            if let head = reader.head { #expect((200...999).contains(head.message.status.code)) }
        }
    }
}

extension ResponseHeadReader {
    fileprivate init(of lines: [String]) throws {
        self.init()
        for line in lines { try read(line + "\r\n") }
    }

    fileprivate mutating func read(_ text: String) throws {
        try Array(text.utf8).withUnsafeBufferPointer { try read($0) }
    }
}
