import Foundation
import LarderObjectStore
import Testing

/// What is kept as JSON is the value that was saved, whatever it is made of.
@Suite struct JSONAttributeTests {
    /// Something of each kind that an encoder writes by itself.
    struct Leaves: JSONAttribute, Equatable {
        enum Kind: String, Codable { case one, two = "zwei" }

        var date: Date?
        var dates: [Date]?
        var datesByName: [String: Date]?
        var url: URL?
        var uuid: UUID?
        var data: Data?
        var decimal: Decimal?
        var double: Double?
        var float: Float?
        var integer: Int64?
        var unsigned: UInt64?
        var small: Int8?
        var truth: Bool?
        var text: String?
        var kind: Kind?
        var nested: [[String: [Int?]]]?
    }

    @Entity struct Kept: Equatable {
        @Identity var id: Int
        var leaves: Leaves?
        var dates: [Date]?
        var datesByName: [String: Date]?
    }

    private static let dates: [Date] = [
        .now, .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0),
        Date(timeIntervalSince1970: 1_700_000_000.5), Date(timeIntervalSince1970: -0.001),
        Date(timeIntervalSince1970: 1_700_000_000.123_456), Date(timeIntervalSince1970: 0.1),
        // Of 1526 and 1500, when Foundation's own ISO 8601 counts by the Julian calendar.
        Date(timeIntervalSince1970: -14_000_000_000),
        Date(timeIntervalSince1970: -14_820_000_000.25),
        Date(timeIntervalSinceReferenceDate: 252_423_993_599),
    ]

    private static let leaves: [Leaves] =
        dates.map { Leaves(date: $0, dates: [$0], datesByName: ["at": $0]) }
        + ["https://example.com/a?b=c#d", "a/b", "file:///x%20y"].map {
            Leaves(url: URL(string: $0))
        }
        + [Leaves(uuid: UUID()), Leaves(data: Data()), Leaves(data: Data([0, 255, 62, 63]))]
        + ["0", "-1.5", "0.1", "12345678901234567890123456789012345678", "1e-20"].map {
            Leaves(decimal: Decimal(string: $0))
        }
        + [0, 0.1, -2.5, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, 1e15, 1e16]
        .map {
            Leaves(double: $0)
        }
        + [0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude].map { Leaves(float: $0) }
        + [.min, -1, 0, 1 << 53 + 1, .max].map { Leaves(integer: $0) }
        + [0, .max].map { Leaves(unsigned: $0) } + [.min, .max].map { Leaves(small: $0) }
        + [true, false].map { Leaves(truth: $0) }
        + ["", "a\"\\/é\n\u{1}🙂", "\u{2028}", "null"].map { Leaves(text: $0) }
        + [Leaves(), Leaves(kind: .two), Leaves(nested: [["a": [1, nil], "": []], [:]])]

    @Test func `is read as it was saved, and is the same when it is saved once more`() throws {
        let store = try Store.temporary(entities: Kept.self)
        for (id, leaves) in Self.leaves.enumerated() {
            let kept = Kept(
                id: id, leaves: leaves, dates: leaves.dates, datesByName: leaves.datesByName)
            try store.save(kept)
            let read = try #require(try store.find(Kept.self, id: id))
            #expect(read == kept)
            let found = try store.fetch(Kept.where { $0.leaves == leaves }).map(\.id)
            #expect(found == [id], "\(leaves)")
            let report = try store.write { context in
                try context.save(read)
                return context.report
            }
            #expect(report.entities["Kept"]?.updated ?? 0 == 0, "\(leaves)")
        }
    }

    @Test func `keeps the moment that an import brought when its object is saved`() throws {
        let store = try Store.temporary(entities: Kept.self)
        let json = #"{"id": 1, "leaves": {"date": "2026-11-21T10:00:00.250Z"}}"#
        try store.import(Kept.self, from: Data(json.utf8))
        let read = try #require(try store.find(Kept.self, id: 1))
        try store.save(read)
        #expect(try store.find(Kept.self, id: 1) == read)
        #expect(read.leaves?.date == Date(timeIntervalSince1970: 1_795_255_200.25))
    }

    @Test func `a date that four digits have no year for can't be kept`() throws {
        let store = try Store.temporary(entities: Kept.self)
        let kept = Kept(
            id: 1, leaves: Leaves(date: Date(timeIntervalSince1970: 1e12)), dates: nil,
            datesByName: nil)
        #expect(throws: (any Error).self) { try store.save(kept) }
        #expect(try store.count(Kept.all) == 0)
    }
}
