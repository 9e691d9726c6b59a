import Foundation
import Testing

@testable import LarderObjectStore

/// Values that are worked out of a column.
struct AggregateTests {
    private let store: Store

    init() throws { store = try Shop.store() }

    @Test func `smallest and largest`() throws {
        #expect(try store.value(Product.all) { $0.count.min } == -7)
        #expect(try store.value(Product.all) { $0.count.max } == 7)
        #expect(try store.value(Product.all) { $0.name.max } == "cake")
        #expect(try store.value(Product.all) { $0.weight.max } == 2)
        #expect(try store.value(Product.all) { $0.price.max } == 10)
        #expect(try store.value(Product.all) { $0.price.min } == Decimal(string: "-10.25"))
        #expect(
            try store.value(Product.all) { $0.sold.max }
                == Date(timeIntervalSinceReferenceDate: 730_944_000))
        #expect(try store.value(Product.where { $0.id == 9 }) { $0.count.max } == nil)
        #expect(try store.value(Product.where { $0.id == 3 }) { $0.weight.max } == nil)
        #expect(try store.value(Product.all) { ($0.count * 2).max } == 14)
    }

    @Test func `within limit and offset`() throws {
        #expect(try store.value(Product.all.offset(1)) { $0.count.max } == 3)
        #expect(try store.value(Product.all.limit(2)) { $0.price.max } == 10)
        #expect(try store.value(Product.all.limit(2)) { $0.count.sum } == 0)
        #expect(
            try store.value(Product.all.sorted { $0.id.descending }.limit(2)) { $0.count.average }
                == 1.5)
    }

    @Test func `sum and average`() throws {
        #expect(try store.value(Product.all) { $0.count.sum } == 3)
        #expect(try store.value(Product.all) { $0.weight.sum } == 4)
        #expect(try store.value(Product.all) { $0.price.sum } == Decimal(string: "9.25"))
        #expect(try store.value(Product.where { $0.id == 9 }) { $0.count.sum } == 0)
        #expect(try store.value(Product.where { $0.id == 9 }) { $0.price.sum } == 0)
        #expect(try store.value(Product.all) { $0.count.average } == 0.75)
        #expect(try store.value(Product.all) { $0.weight.average } == 4.0 / 3)
        #expect(try store.value(Product.where { $0.id == 9 }) { $0.count.average } == nil)
    }

    @Test func `a sum of narrow numbers is a wide one`() throws {
        let store = try Store.inMemory(model: Library.fixture().store.model)
        let shelf = Shelf(id: 1, name: "A", books: [])
        try store.save(
            (1...3).map { id in
                var book = Library.book(id, shelf: One(shelf))
                book.lent = 100
                return book
            })
        #expect(try store.value(Book.all) { $0.lent.sum } == 300)
        #expect(try store.contains(Shelf.where { $0.books.sum { $0.lent } == 300 }))
        #expect(try store.select(Shelf.all) { $0.books.sum { $0.lent } } == [300])
        #expect(try store.select(Shelf.all) { $0.books.sum { $0.pages } } == [0])
        #expect(throws: StoreError.self) { try store.select(Book.all) { $0.lent + $0.lent } }
    }

    @Test func `a sum beyond 64 bits is an error`() throws {
        #expect(throws: StoreError.self) {
            try store.value(Product.all) { ($0.count * 0 + Int.max).sum }
        }
    }

    @Test func `a sum of decimal numbers that would be rounded is an error`() throws {
        let store = try Shop.store(
            """
            [{"id": 1, "name": "a", "price": "100000000000000000000", "made": "2026-11-21T10:30:00Z"},
             {"id": 2, "name": "b", "price": "0.0000000000000000001", "made": "2026-11-21T10:30:00Z"}]
            """)
        #expect(throws: StoreError.self) { try store.value(Product.all) { $0.price.sum } }
    }
}
