import Foundation
import Testing

@testable import LarderObjectStore

struct SpoolFileTests {
    @Test func `it has no name while it is there`() throws {
        let folder = try TemporaryFolder()
        var file = try SpoolFile(in: URL(filePath: folder.path))
        try [1, 2, 3].withUnsafeBytes { try file.append($0) }
        #expect(try folder.files == [])
        let mapped = try file.mapped()
        #expect(try folder.files == [])
        #expect(mapped.count == 24)
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
