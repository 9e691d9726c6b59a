import Foundation
import Testing

@testable import LarderObjectStore

/// Values, groups, existence: what is read without objects.
struct ObjectReadingTests {
    private let store: Store

    init() throws { store = try Shop.store() }

    // MARK: Objects

    @Test func `contains`() throws {
        #expect(try store.contains(Product.all))
        #expect(try !store.contains(Product.where { $0.id == 9 }))
        #expect(try store.contains(Product.all.offset(3)))
        #expect(try !store.contains(Product.all.offset(4)))
        #expect(try !store.contains(Product.all.limit(0)))
    }

    // MARK: Aggregates

    @Test func `objects are never equal, whatever is selected of them`() throws {
        let store = try Shop.store()
        for query in [Product.all.distinct(), Product.all.distinct().limit(9)] {
            #expect(try store.count(query) == 4)
            #expect(try store.value(query) { ($0.count * 0 + 1).sum } == 4)
        }
    }

    // MARK: Selecting

    @Test func `all of it reads what a transaction has written`() throws {
        try store.write { context in
            try context.import(
                Product.self,
                from: JSONDocument(
                    Data(#"{"id": 5, "name": "E", "count": 100, "made": "2030-01-01"}"#.utf8)
                ).root)
            #expect(try context.value(Product.all) { $0.count.max } == 100)
            #expect(try context.contains(Product.where { $0.id == 5 }))
            #expect(try context.select(Product.where { $0.id > 4 }) { $0.name } == ["E"])
            #expect(try context.first(Product.where { $0.id == 5 })?.count == 100)
            #expect(try context.page(Product.all, size: 10).objects.count == 5)
            #expect(try context.value(Product.all) { $0.count.sum } == 103)
            #expect(
                try context.select(Product.all, groupedBy: { $0.name }) { $0.id.count }.count == 5)
        }
        let (largest, count) = try store.read { snapshot in
            (try snapshot.value(Product.all) { $0.count.max }, try snapshot.count(Product.all))
        }
        #expect(largest == 100)
        #expect(count == 5)
    }
}
