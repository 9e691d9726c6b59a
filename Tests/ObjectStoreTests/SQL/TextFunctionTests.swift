import Foundation
import Testing

@testable import LarderObjectStore

/// Text by Unicode's rules.
struct TextFunctionTests {
    private let store: Store

    init() throws { store = try Shop.store() }

    private func ids(_ condition: (Product.Columns) -> Condition) throws -> [Int] {
        try store.fetch(Product.where(condition)).map(\.id)
    }

    @Test func `letters of all languages match in either case where asked`() throws {
        #expect(try ids { $0.note.contains("äpfel") } == [2])
        #expect(try ids { $0.note.contains("Äpfel", ignoringCase: true) } == [1, 2])
        #expect(try ids { $0.note.hasPrefix("ÄP", ignoringCase: true) } == [1, 2])
        #expect(try ids { $0.note.hasSuffix("BROT", ignoringCase: true) } == [2])
        #expect(try ids { $0.note.hasSuffix("", ignoringCase: true) } == [1, 2, 4])
        #expect(try ids { $0.note.isEqual("äPFEL", ignoringCase: true) } == [1])
        #expect(try ids { $0.note.lowercased() == "äpfel" } == [1])
        #expect(try ids { $0.name.uppercased() == "CAKE" } == [3])
        #expect(try ids { $0.note.lowercased() == "" } == [4])
        #expect(try ids { $0.note.lowercased().isNil } == [3])
        #expect(try ids { $0.note.length == 5 } == [1])
        #expect(try ids { $0.name.length < 5 } == [3, 4])
        #expect(try ids { $0.note.length == nil } == [3])
    }

    @Test func `sorts without regard to case`() throws {
        let byName = try store.fetch(Product.all.sorted { $0.name.ascending }).map(\.id)
        #expect(byName == [1, 2, 4, 3])
        let byFolded = try store.fetch(Product.all.sorted { $0.name.lowercased().ascending })
        #expect(byFolded.map(\.id) == [1, 2, 3, 4])
    }
}
