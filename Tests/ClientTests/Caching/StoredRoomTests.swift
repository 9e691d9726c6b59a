import Foundation
import HTTPTypes
import LarderObjectStore
import LarderTesting
import Testing

@testable import LarderClient

/// Responses in a store's file of two megabytes, of which they may have an eighth.
@Suite struct StoredRoomTests {
    private let clock = WallClock(.now)
    private let store: Store
    private let path: String

    init() throws {
        store = try Store.temporary(of: 2 << 20)
        path = try #require(store.path)
    }

    private func responses(limits: ResponseCache.Limits = .init()) -> StoredResponses {
        StoredResponses(in: store, at: path, limits: limits) { [clock] in clock.now }
    }

    private var fileCount: Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: path + "-responses")
        return names?.count ?? 0
    }

    /// Keeps responses of so many bytes, and of so many in their heads, one after the other.
    private func keep(
        _ range: Range<Int>, count: Int, headCount: Int = 0, in responses: StoredResponses
    ) throws {
        for number in range {
            clock.pass(1)
            let tag = String(repeating: "a", count: headCount)
            let response = CachedResponse(
                head: HTTPResponse(status: .ok, headerFields: [.eTag: tag]),
                body: Data(count: count), requested: clock.now, received: clock.now,
                uselessAfter: nil, variant: [:])
            try responses.keep(
                response, for: MemoryResponsesTests.key("\(number)"), replacing: [])
        }
    }

    /// The number of responses that are kept.
    private func count() throws -> Int {
        let rows = try store.readBeside {
            try $0.rows("SELECT id FROM \"\(SideTables.prefix)responses\"")
        }
        return rows.count
    }

    @Test func `what has too much in all loses nothing for the store's file`() throws {
        let responses = responses(limits: .init(maximumFileSize: 400_000))
        try keep(0..<3, count: 60_000, in: responses)
        #expect(fileCount == 3)
        // Close to what they may have of the file.
        try keep(3..<11, count: 30_000, in: responses)
        #expect(try count() == 9)
        #expect(fileCount == 1)
    }

    @Test func `heads take room in the store's file, wherever their content is`() throws {
        let responses = responses()
        try keep(0..<60, count: 40_000, headCount: 8_000, in: responses)
        let count = try count()
        #expect(count > 20 && count < 35)
        #expect(fileCount == count)
        #expect(try !responses.responses(for: MemoryResponsesTests.key("59")).isEmpty)
    }

    @Test func `for one that has no room even without all nothing goes`() throws {
        let responses = responses()
        try keep(0..<5, count: 20_000, in: responses)
        try store.fill()
        let hasRoom = try store.writeBeside { try responses.hasRoom(for: 250_000, $0) }
        #expect(!hasRoom)
        #expect(try count() == 5)
    }
}
