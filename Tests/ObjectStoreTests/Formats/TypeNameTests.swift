import Testing

@testable import LarderObjectStore

/// Names of types that are the same in each process; `PullKillTests` has one in several.
@Suite struct TypeNameTests {
    private struct Hidden {}
    private struct Box<Value> { var value: Value? }

    @Test func `a private or local type's name has nothing of where it lies`() {
        struct Local {}
        #expect(TypeName.lasting(of: Hidden.self) == "ObjectStoreTests.TypeNameTests.Hidden")
        #expect(TypeName.lasting(of: Local.self).hasSuffix(".Local"))
        let box = TypeName.lasting(of: Box<[Hidden]>.self)
        #expect(box.contains("TypeNameTests.Hidden") && !box.contains("unknown context"))
        #expect(box == TypeName.lasting(of: Box<[Hidden]>.self))
    }

    @Test func `types that differ have other names`() {
        let types: [Any.Type] = [
            Int.self, String.self, [Int].self, Int?.self, Hidden.self, Box<Int>.self,
        ]
        #expect(Set(types.map { TypeName.lasting(of: $0) }).count == types.count)
    }
}
