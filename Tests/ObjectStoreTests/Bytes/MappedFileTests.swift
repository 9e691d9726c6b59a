import Foundation
import Testing

@testable import LarderObjectStore

struct MappedFileTests {
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
}
