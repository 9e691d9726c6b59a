import Foundation
import Testing

@testable import LarderObjectStore

/// Rules that objects must keep.
@Suite struct MapperChecksTests {
    @Entity("Period") struct Period {
        @Identity var id: Int
        var start: Int
        var end: Int
        var next: One<Period>?

        static var rules: [Rule<Period>] {
            [
                Rule("ends after it starts") { $0.end > $0.start },
                Rule("is short") { $0.end - $0.start < 100 },
            ]
        }
    }

    private let store: Store

    init() throws { store = try Store.inMemory(entities: Period.self) }

    @discardableResult
    private func insert(_ json: String) throws -> [Period] {
        try store.import([Period].self, from: Data(json.utf8))
    }

    @Test func `an object that breaks a rule is refused, and all with it`() throws {
        let error = #expect(throws: MappingError.self) {
            try insert(#"[{"id":1,"start":1,"end":2},{"id":2,"start":5,"end":3}]"#)
        }
        #expect(error?.entity == "Period")
        #expect(error?.path == "$[1]")
        #expect(error?.reason == .rule("ends after it starts"))
        #expect(try store.count(Period.all) == 0)
    }

    @Test func `rules are asked of what an update makes`() throws {
        try insert(#"[{"id":1,"start":1,"end":5}]"#)
        let error = #expect(throws: MappingError.self) { try insert(#"[{"id":1,"start":9}]"#) }
        #expect(error?.reason == .rule("ends after it starts"))
        let long = #expect(throws: MappingError.self) { try insert(#"[{"id":1,"end":500}]"#) }
        #expect(long?.reason == .rule("is short"))
        #expect(try store.find(Period.self, id: 1)?.start == 1)
        // The document may break a rule on its way.
        try insert(#"[{"id":1,"start":9},{"id":1,"end":10}]"#)
        #expect(try store.find(Period.self, id: 1)?.end == 10)
    }

    @Test func `references need not keep rules`() throws {
        try insert(#"[{"id":1,"start":1,"end":2,"next":7}]"#)
        #expect(try store.count(Period.all) == 1)
    }

    @Test func `nested objects keep them too`() throws {
        let error = #expect(throws: MappingError.self) {
            try insert(#"[{"id":1,"start":1,"end":2,"next":{"id":2,"start":2,"end":2}}]"#)
        }
        #expect(error?.path == "$[0].next")
        #expect(try store.count(Period.all) == 0)
    }
}
