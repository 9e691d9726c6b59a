import Foundation
import Testing

@testable import LarderObjectStore

struct SpoolFileTests {
    @Test(arguments: [0, 1, 4096, 3_000_001])
    func `what is written is what is mapped`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var file = try SpoolFile()
        try bytes.withUnsafeBytes { try file.append($0) }
        try bytes.withUnsafeBytes { try file.append($0) }
        #expect(file.count == 2 * count)
        let mapped = try file.mapped()
        #expect(mapped.count == 2 * count)
        #expect(mapped.data == Data(bytes + bytes))
    }

    @Test func `it has no name while it is there`() throws {
        let folder = try TemporaryFolder()
        var file = try SpoolFile(in: URL(filePath: folder.path))
        try [1, 2, 3].withUnsafeBytes { try file.append($0) }
        #expect(try folder.files == [])
        let mapped = try file.mapped()
        #expect(try folder.files == [])
        #expect(mapped.count == 24)
    }

    @Test func `data keeps the file`() throws {
        var data: Data?
        do {
            var file = try SpoolFile()
            try Array("some text".utf8).withUnsafeBytes { try file.append($0) }
            data = try file.mapped().data
        }
        #expect(data == Data("some text".utf8))
    }

    @Test func `bytes can be read after they have been released`() throws {
        var file = try SpoolFile()
        let bytes = [UInt8](repeating: 7, count: 100_000)
        try bytes.withUnsafeBytes { try file.append($0) }
        let mapped = try file.mapped()
        for range in [0..<100_000, 1..<4097, 50_000..<50_000, 0..<1] { mapped.release(range) }
        #expect(mapped.data == Data(bytes))
    }

    @Test func `a file is copied as it is`() throws {
        let folder = try TemporaryFolder()
        let url = URL(filePath: folder.file("a b%20.json"))
        let bytes = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try bytes.write(to: url)
        var file = try SpoolFile()
        try file.append(contentsOf: url)
        try Data().write(to: url)
        #expect(try file.mapped().data == bytes)
    }

    @Test func `failures say what the system says`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: POSIXError(.ENOENT)) {
            _ = try SpoolFile(in: URL(filePath: folder.file("missing")))
        }
        var file = try SpoolFile()
        let missing = Self.code { () throws(POSIXError) in
            try file.append(contentsOf: URL(filePath: folder.file("missing")))
        }
        #expect(missing == .ENOENT)
        let directory = Self.code { () throws(POSIXError) in
            try file.append(contentsOf: URL(filePath: folder.path))
        }
        #expect(directory == .EISDIR)
    }

    private static func code(_ work: () throws(POSIXError) -> Void) -> POSIXErrorCode? {
        do throws(POSIXError) {
            try work()
            return nil
        } catch {
            return error.code
        }
    }
}
