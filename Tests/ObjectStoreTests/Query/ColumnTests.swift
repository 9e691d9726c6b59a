import Testing

@testable import LarderObjectStore

struct ColumnTests {
    @Test func `is the steps that lead to an entity`() {
        let path = ColumnPath()
        #expect(path.steps == [])
        #expect(path.appending("a").appending("b").steps == [.one("a"), .one("b")])
        #expect(path.appending("a") == path.appending("a"))
        #expect(path.appending("a.b") != path.appending("a").appending("b"))
    }
}
