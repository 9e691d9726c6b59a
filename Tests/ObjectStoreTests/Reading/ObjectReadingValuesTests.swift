import Foundation
import Testing

@testable import LarderObjectStore

/// Columns, and values by groups.
struct ObjectReadingValuesTests {
    private let store: Store

    init() throws { store = try Shop.store() }

    @Test func `counts by the values of a column`() throws {
        let years = try store.select(Product.all, groupedBy: { $0.made.year }) { $0.id.count }
        #expect(years.map(\.0) == [1999, 2001, 2024, 2026])
        #expect(years.map(\.1) == [1, 1, 1, 1])
        let sold = try store.select(Product.all, groupedBy: { $0.sold.year }) { $0.id.count }
        #expect(sold.map(\.0) == [nil, 2001, 2024])
        #expect(sold.map(\.1) == [2, 1, 1])
        let weight = try store.select(
            Product.where { $0.id != 1 }, groupedBy: { ($0.weight ?? 1.5) }
        ) { $0.id.count }
        #expect(weight.map(\.0) == [1.5, 2])
        #expect(weight.map(\.1) == [2, 1])
        let cut = try store.select(Product.all.limit(2), groupedBy: { $0.sold.year }) {
            $0.id.count
        }
        #expect(cut.map(\.0) == [nil, 2024])
        #expect(
            try store.select(Product.where { $0.id == 9 }, groupedBy: { $0.name }) { $0.id.count }
                .isEmpty)
    }

    @Test func `several values by several columns`() throws {
        let items = (0..<60).map { id in
            let weight = id % 4 == 0 ? "null" : "\(id % 4)"
            let price = id % 7 == 0 ? "null" : "\"\(id % 5).5\(id % 2 == 0 ? "0" : "")\""
            return """
                {"id": \(id), "name": "n\(id % 3)", "count": \(id), "weight": \(weight), "price": \(price),
                 "made": "2026-11-21T10:30:00Z"}
                """
        }
        let store = try Shop.store("[\(items.joined(separator: ","))]")
        for query in [Product.all, Product.all.sorted { $0.count.descending }.limit(31).offset(3)] {
            let groups = try store.select(
                query, groupedBy: { ($0.name, $0.weight) },
                { ($0.id.count, $0.price.count, $0.count.sum, $0.price.sum, $0.price.max) })
            let expected = try Dictionary(grouping: store.fetch(query)) { product in
                "\(product.name) \(product.weight ?? -1)"
            }
            let names = groups.map { group in "\(group.0) \(group.1 ?? -1)" }
            #expect(names == expected.keys.sorted())
            for (name, weight, count, prices, sum, price, highest) in groups {
                let products = expected["\(name) \(weight ?? -1)"] ?? []
                #expect(count == products.count)
                #expect(prices == products.compactMap(\.price).count)
                #expect(sum == products.reduce(0) { $0 + $1.count })
                #expect(price == products.reduce(Decimal(0)) { $0 + ($1.price ?? 0) })
                #expect(highest == products.compactMap(\.price).max())
            }
        }
    }

    @Test func `decimal numbers group and compare by what they are, also where rows are cut`()
        throws
    {
        let store = try Shop.store()
        for query in [Product.all, Product.all.limit(9)] {
            let groups = try store.select(query, groupedBy: { $0.price }) { $0.id.count }
            #expect(
                groups.map(\.0) == [nil, Decimal(string: "-10.25"), Decimal(string: "9.5"), 10])
            #expect(groups.map(\.1) == [1, 1, 1, 1])
            #expect(try store.value(query) { $0.price.min } == Decimal(string: "-10.25"))
            #expect(try store.value(query) { $0.price.max } == 10)
            #expect(try store.value(query) { $0.price.sum } == Decimal(string: "9.25"))
        }
    }

    @Test func `selects single columns`() throws {
        #expect(try store.select(Product.all) { $0.name } == ["Apple", "Bread", "cake", "Date"])
        #expect(
            try store.select(Product.all.sorted { $0.id.descending }.limit(2)) { $0.weight }
                == [1.5, nil])
        #expect(try store.select(Product.all) { $0.count + $0.id } == [8, -5, 3, 7])
        #expect(
            try store.select(Product.where { $0.sold == nil }) { $0.made.year } == [1999, 2026])
    }

    @Test func `selects several columns`() throws {
        let pairs = try store.select(Product.all.limit(2)) { ($0.name, $0.price) }
        #expect(pairs.map { $0.0 } == ["Apple", "Bread"])
        #expect(pairs.map { $0.1 } == [Decimal(string: "9.5"), 10])
        let triples = try store.select(Product.all.limit(1)) {
            ($0.id, $0.name.length, $0.made.year)
        }
        #expect(triples.count == 1)
        #expect(triples[0] == (1, 5, 2024))
    }

    @Test func `selects each value once where asked`() throws {
        let counts = Product.all.distinct()
        #expect(try store.select(counts) { $0.sold.year } == [nil, 2001, 2024])
        #expect(try store.select(counts.sorted { $0.sold.descending }) { $0.sold.year }.count == 3)
        #expect(try store.select(counts.limit(1)) { $0.made.month - $0.made.month } == [0])
        #expect(try store.fetch(counts).count == 4)
    }

    @Test func `decimal numbers are selected once by what they are, in their order`() throws {
        let prices = [nil, Decimal(string: "-10.25"), Decimal(string: "9.5"), 10]
        #expect(try store.select(Product.all.distinct()) { $0.price } == prices)
        #expect(
            try store.select(Product.all.distinct().limit(3)) { $0.price } == Array(prices[..<3]))
        let pairs = try store.select(Product.all.distinct(), { ($0.price, $0.name) })
        #expect(pairs.map(\.0) == prices)
        #expect(pairs.map(\.1) == ["Date", "cake", "Apple", "Bread"])
    }

    @Test func `an empty value where there must be one is an error that says what to do`() throws {
        let store = try Comics.store()
        try store.import(
            Many<Hero>.self, from: Data(#"[{"id": 1, "name": "A", "mentor": 2}]"#.utf8))
        let error = #expect(throws: StoreError.self) {
            try store.select(Hero.references) { $0.name }
        }
        #expect(
            error?.message == "column 1 is empty; select it as .optional, or a value instead by ??")
        #expect(try store.select(Hero.references) { $0.name.optional } == [nil])
        #expect(try store.select(Hero.references) { $0.name ?? "none" } == ["none"])
    }

    @Test func `what a to-one relationship leads to may be nothing, or not have arrived`() throws {
        let store = try Comics.store()
        try store.import(
            Many<Hero>.self,
            from: Data(
                """
                [{"id": 1, "name": "A", "mentor": 2},
                 {"id": 2, "name": "B", "publisher": 7, "mentor": 3},
                 {"id": 3, "name": "C", "publisher": {"id": 8, "name": "P"}}]
                """.utf8))
        let names: [String?] = try store.select(Hero.all) { $0.publisher.name }
        #expect(names == [nil, nil, "P"])
        let known: [String] = try store.select(Hero.all) { $0.publisher.name ?? "none" }
        #expect(known == ["none", "none", "P"])
        let ids: [Int?] = try store.select(Hero.all) { $0.publisher.id }
        #expect(ids == [nil, 7, 8])
        #expect(try store.select(Hero.all) { $0.mentor.mentor.name } == ["C", nil, nil])
        #expect(try store.select(Hero.all) { $0.publisher.founded } == [nil, nil, nil])
        #expect(try store.select(Hero.all) { $0.mentor.publisher.id.optional } == [7, 8, nil])
        let pairs = try store.select(Hero.all) { ($0.id, $0.publisher.name) }
        #expect(pairs.map(\.1) == [nil, nil, "P"])
        let groups = try store.select(Hero.all, groupedBy: { $0.publisher.name }) { $0.id.count }
        #expect(groups.map(\.0) == [nil, "P"])
        #expect(groups.map(\.1) == [2, 1])
        #expect(try store.value(Hero.all) { $0.publisher.id.sum } == 15)
        #expect(try store.value(Hero.all) { $0.publisher.id.average } == 7.5)
        #expect(try store.value(Hero.all) { $0.publisher.name.max } == "P")
    }
}
