import Foundation
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct PartialFileTests {
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
}
