import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct PartialFileTests {
    /// What two people get may have the same time and size.
    @Test(arguments: ["Authorization", "accept, COOKIE", "*", "Accept", nil])
    func `what is another's by its time alone is not gone on with`(_ vary: String?) {
        let mayGoOn = vary == nil || vary == "Accept"
        for (field, isTag) in [(HTTPField.Name.eTag, true), (.lastModified, false)] {
            var head = HTTPResponse(status: .ok)
            head.headerFields[field] =
                isTag ? "\"1\"" : "Wed, 21 Oct 2026 07:28:00 GMT"
            head.headerFields[.date] = "Thu, 22 Oct 2026 07:28:00 GMT"
            head.headerFields[.vary] = vary
            let record = ResourceRecord(of: 1, from: "http://h/", head, total: 10)
            #expect((record != nil) == (isTag || mayGoOn))
        }
    }

    /// A validator says something of its own URL alone; what is signed has another query each time.
    @Test(arguments: [
        ("/latest", "/latest", true, true), ("/v1/a", "/v1/a", true, true),
        ("/v1/a", "/v2/a", false, false), ("/latest", "/v1/a", false, false),
        ("/v1/a", "/latest", false, false), ("/v1/a?s=1", "/v1/a?s=2", true, false),
        ("/v1/a?s=1", "/v1/a", true, false), ("/latest", "/latest?s=1", false, false),
        ("/latest?s=1", "/latest", false, false),
    ])
    func `the rest is of the URL that has sent the beginning`(
        _ first: String, _ second: String, _ isByTag: Bool, _ isByTime: Bool
    ) throws {
        let asked = ResourceRecord.digest(of: "http://h/latest")
        for (field, value, isRest) in [
            (HTTPField.Name.eTag, "\"1\"", isByTag),
            (.lastModified, "Wed, 21 Oct 2026 07:28:00 GMT", isByTime),
        ] {
            let fields: HTTPFields = [
                field: value, .date: "Thu, 22 Oct 2026 07:28:00 GMT",
                .contentRange: "bytes 4-9/10",
            ]
            let head = HTTPResponse(status: .ok, headerFields: fields)
            let record = try #require(
                ResourceRecord(of: asked, from: "http://h\(first)", head, total: 10))
            let kept = try #require(
                ResourceRecord(try JSONEncoder().encode(record), of: asked))
            let range = try #require(ContentRange(fields))
            let total = kept.total(of: range, from: "http://h\(second)", in: fields)
            #expect(total == (isRest ? 10 : nil), "\(field)")
        }
    }

    @Test func `a record of an earlier version is good where no redirect is followed`() throws {
        let asked = ResourceRecord.digest(of: "http://h/latest")
        let record = try #require(
            ResourceRecord(
                Data(#"{"resource": \#(asked), "validator": "\"1\"", "total": 10}"#.utf8), of: asked
            ))
        let fields: HTTPFields = [.eTag: "\"1\"", .contentRange: "bytes 4-9/10"]
        let range = try #require(ContentRange(fields))
        #expect(record.total(of: range, from: "http://h/latest", in: fields) == 10)
        for url in ["http://h/v1/a", "http://h/latest?s=1"] {
            #expect(record.total(of: range, from: url, in: fields) == nil)
        }
    }

    @Test func `of bytes that can't all be written, none counts`() throws {
        let folder = try TemporaryFile(named: "marker", Data())
        let file = try PartialFile(
            for: folder.url.deletingLastPathComponent().appending(path: "file"))
        try file.append(Data([1, 2, 3]))
        // A system that reaches memory it can't read has written what is before it.
        let page = Int(getpagesize())
        let pages = try #require(
            mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0))
        defer { munmap(pages, 2 * page) }
        try #require(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0)
        let bytes = UnsafeRawBufferPointer(start: pages, count: 2 * page)
        #expect(throws: TransportError.self) { try file.append(bytes) }
        #expect(file.count == 3)
        #expect(file.failure?.code == .EFAULT)
        try file.append(Data([4]))
        #expect(file.count == 4)
        #expect(try Data(contentsOf: file.partial).prefix(4) == Data([1, 2, 3, 4]))
    }

    @Test func `what waits to be written is in the file that is closed, whoever closes it`() throws
    {
        let folder = try TemporaryFile(named: "marker", Data())
        let target = folder.url.deletingLastPathComponent().appending(path: "file")
        let file = try PartialFile(for: target)
        var head = HTTPResponse(status: .ok)
        head.headerFields[.eTag] = "\"1\""
        _ = file.beginning(of: "http://h/", isWanted: true, replacing: 0)
        _ = try file.begin(head, from: "http://h/", isWhole: false)
        var buffer = BodyBuffer(limit: 0)
        buffer.write(to: file)
        try [UInt8(1), 2, 3].withUnsafeBytes { try buffer.append($0) }
        // As behind each part that comes.
        try buffer.flush()
        #expect(file.count == 3)
        file.release(isDiscarding: false)
        #expect(try Data(contentsOf: file.partial) == Data([1, 2, 3]))
        let next = try PartialFile(for: target)
        #expect(next.count == 3)
        // The one before has nothing to write any more.
        try [UInt8(4)].withUnsafeBytes { try buffer.append($0) }
        var refusal: TransportError.Reason?
        do throws(TransportError) { try buffer.flush() } catch { refusal = error.reason }
        #expect(refusal == .temporaryFile)
        #expect(try Data(contentsOf: file.partial) == Data([1, 2, 3]))
    }

    @Test func `what waits is written once it has waited for long enough, or is much`() throws {
        let folder = try TemporaryFile(named: "marker", Data())
        let file = try PartialFile(
            for: folder.url.deletingLastPathComponent().appending(path: "file"))
        func written() throws -> Int { try Data(contentsOf: file.partial).count }
        func hold(_ count: Int) throws {
            try Data(count: count).withUnsafeBytes { try file.hold($0) }
        }
        file.state.withLock { $0.lastWrite = ContinuousClock.now + .seconds(3600) }
        try hold(3)
        #expect(try file.flushIfDue())
        #expect(try file.count == 3 && written() == 0)
        file.state.withLock { $0.lastWrite = ContinuousClock.now - .seconds(1) }
        #expect(try !file.flushIfDue())
        #expect(try file.count == 3 && written() == 3)
        for _ in 0..<3 {
            file.state.withLock { $0.lastWrite = ContinuousClock.now + .seconds(3600) }
            try hold(100_000)
        }
        #expect(try file.count == 300_003 && written() == 300_003)
        file.state.withLock { $0.lastWrite = ContinuousClock.now - .seconds(1) }
        try hold(1)
        #expect(try written() == 300_004)
    }

    /// As a process that is killed between giving a name and taking the other leaves it.
    @Test func `what has its name already is written to no more`() throws {
        let whole = try TemporaryFile(named: "file", Data("whole".utf8))
        let partial = whole.url.deletingLastPathComponent().appending(path: "file.download")
        try FileManager.default.linkItem(at: whole.url, to: partial)
        let file = try PartialFile(for: whole.url, isReplacing: true)
        #expect(file.count == 0)
        _ = file.beginning(of: "http://h/", isWanted: true, replacing: 0)
        _ = try file.begin(HTTPResponse(status: .ok), from: "http://h/", isWhole: false)
        try file.append(Data([1]))
        #expect(try Data(contentsOf: whole.url) == Data("whole".utf8))
        try file.finish(isReplacing: true)
        #expect(try Data(contentsOf: whole.url) == Data([1]))
        #expect(!FileManager.default.fileExists(atPath: partial.path(percentEncoded: false)))
    }

    @Test func `what may be somebody else's stays until it is written to`() throws {
        let other = try TemporaryFile(named: "file.download", Data("theirs".utf8))
        let target = other.url.deletingLastPathComponent().appending(path: "file")
        for isDiscarding in [false, true] {
            try PartialFile(for: target).release(isDiscarding: isDiscarding)
        }
        #expect(try Data(contentsOf: other.url) == Data("theirs".utf8))
        // Nor is what only has a record's name one.
        let record = other.url.appendingPathExtension("json")
        try Data(#"{"own": 1}"#.utf8).write(to: record)
        for isDiscarding in [false, true] {
            try PartialFile(for: target).release(isDiscarding: isDiscarding)
        }
        for file in [other.url, record] {
            #expect(FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
        }
        let file = try PartialFile(for: target)
        try file.rewrite(Data("mine".utf8))
        file.release(isDiscarding: false)
        #expect(!FileManager.default.fileExists(atPath: other.url.path(percentEncoded: false)))
    }

    /// As a process has it that is begun just then, until it has its program.
    @Test func `a descriptor that somebody still holds keeps nobody out`() throws {
        let folder = try TemporaryFile(named: "marker", Data())
        let target = folder.url.deletingLastPathComponent().appending(path: "file")
        let first = try PartialFile(for: target)
        var head = HTTPResponse(status: .ok)
        head.headerFields[.eTag] = "\"1\""
        _ = first.beginning(of: "http://h/", isWanted: true, replacing: 0)
        _ = try first.begin(head, from: "http://h/", isWhole: false)
        try first.append(Data([1]))
        let descriptor = first.state.withLock(\.descriptor)
        let held = dup(try #require(descriptor))
        defer { close(held) }
        first.release(isDiscarding: false)
        #expect(try PartialFile(for: target).count == 1)
    }
}
