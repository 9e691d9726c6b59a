import Foundation
import Testing

@testable import LarderObjectStore

/// Updates of all that a query finds.
struct ColumnUpdateTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws {
        library = try Library.fixture()
        try store.save((1...4).map { Library.book($0, title: "T\($0)") })
    }

    @Test func `sets and increments what a query finds, in one statement`() throws {
        let count = try store.write { context in
            let count = try context.update(Book.where { $0.id > 2 }) {
                $0.title.set("New")
                $0.lent.increment()
                $0.pages.set(100)
            }
            #expect(context.report["Book"] == .init(0, 2))
            return count
        }
        #expect(count == 2)
        #expect(
            try library.rows("SELECT id, title, lent, pages FROM Book ORDER BY id")
                == ["1|T1|0|NULL", "2|T2|0|NULL", "3|New|1|100", "4|New|1|100"])
        try store.write {
            try $0.update(Book.all) { [$0.pages.increment(by: -10), $0.price.set(1.5)] }
        }
        #expect(
            try library.rows("SELECT pages, price FROM Book ORDER BY id")
                == ["NULL|1.5", "NULL|1.5", "90|1.5", "90|1.5"])
    }

    @Test func `is a transaction of its own on the store`() throws {
        let count = try store.update(Book.where { $0.id > 2 }) { $0.title.set("New") }
        #expect(count == 2)
        #expect(try store.count(Book.where { $0.title == "New" }) == 2)
        #expect(throws: WritingError.self) {
            try store.update(Book.all) {
                $0.title.set("Other")
                $0.id.set(7)
            }
        }
        #expect(try store.count(Book.where { $0.title == "Other" }) == 0)
    }

    @Test func `counts only what changes`() throws {
        let size = try library.logSize
        let count = try store.write { context in
            try context.update(Book.where { $0.title == "T1" }) { $0.title.set("T1") }
        }
        #expect(count == 0)
        #expect(try library.logSize == size)
        #expect(try store.write { try $0.update(Book.all) { $0.title.set("T1") } } == 3)
        #expect(try store.write { try $0.update(Book.all) { _ in [] } } == 0)
    }

    @Test func `honours sort, limit, conditions through relationships and conditions of its own`()
        throws
    {
        let isCheap = true
        let count = try store.write { context in
            try context.update(
                Book.where { $0.author.name == "Ann" }.sorted { $0.id.descending }.limit(1)
            ) {
                if isCheap { $0.price.set(1) } else { $0.price.set(9) }
            }
        }
        #expect(count == 1)
        #expect(try store.fetch(Book.where { $0.price == 1 }).map(\.id) == [4])
    }

    @Test func `a sum that does not fit is an error and nothing changes`() throws {
        try store.write { try $0.update(Book.where { $0.id == 4 }) { $0.lent.set(127) } }
        let error = library.writingError { _ = try $0.update(Book.all) { $0.lent.increment() } }
        #expect(error?.attribute == "lent")
        try store.write { try $0.update(Book.all) { $0.pages.set(.max) } }
        #expect(
            library.writingError { _ = try $0.update(Book.all) { $0.pages.increment() } } != nil)
        #expect(try library.rows("SELECT sum(lent) FROM Book") == ["127"])
    }

    @Test func `a sum of single precision is one, as the same sum is in code`() throws {
        let store = try Store.inMemory(entities: Gauge.self)
        try store.save(Gauge(id: 1, level: 0.1, peak: .greatestFiniteMagnitude))
        try store.save(Gauge(id: 2, level: 0.1, peak: nil))
        try store.write { try $0.update(Gauge.all) { $0.level.increment(by: 0.2) } }
        let gauges = try store.fetch(Gauge.all)
        #expect(gauges.map(\.level) == [0.1 as Float + 0.2, 0.1 as Float + 0.2])
        #expect(try store.count(Gauge.where { $0.level == gauges[0].level }) == 2)
        let report = try store.write { context in
            try context.save(gauges)
            return context.report
        }
        #expect(report["Gauge"] == .init(0, 0, 2))
    }

    @Test func `a sum beyond single precision is an error`() throws {
        let store = try Store.inMemory(entities: Gauge.self)
        try store.save(Gauge(id: 1, level: 0, peak: .greatestFiniteMagnitude))
        let error = #expect(throws: WritingError.self) {
            try store.write {
                try $0.update(Gauge.all) { $0.peak.increment(by: Float.greatestFiniteMagnitude) }
            }
        }
        #expect(error?.attribute == "peak")
        #expect(try store.checkIntegrity().isSound)
    }

    /// The law: a sum is what Swift adds, or an error.
    @Test func `whole numbers near the ends are added right or not at all`() throws {
        let store = try Store.inMemory(entities: Meter.self)
        let low = Int64.min
        let high = Int64.max
        let ends: [Int64] = [low, low + 1, low + 1_000, -1, 0, 1, high - 1_000, high - 1, high]
        for level in ends {
            for number in ends {
                try store.save([Meter(id: 1, level: level), Meter(id: 2, level: 5)])
                let (sum, overflows) = level.addingReportingOverflow(number)
                let other = Int64(5).addingReportingOverflow(number)
                func add() throws -> Int {
                    try store.update(Meter.all) { $0.level.increment(by: number) }
                }
                var expected: [Int64] = [level, 5]
                if overflows || other.overflow {
                    let error = #expect(throws: WritingError.self, "\(level) + \(number)") {
                        try add()
                    }
                    #expect(error?.attribute == "level")
                } else {
                    #expect(try add() == (number == 0 ? 0 : 2))
                    expected = [sum, other.partialValue]
                }
                #expect(try store.fetch(Meter.all).map(\.level) == expected)
            }
        }
    }
}

@Entity private struct Gauge {
    @Identity var id: Int
    var level: Float
    var peak: Float?
}

@Entity("Meter") private struct Meter {
    @Identity var id: Int
    var level: Int64
}
