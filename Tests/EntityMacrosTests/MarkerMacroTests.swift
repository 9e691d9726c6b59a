import Testing

@Suite struct MarkerMacroTests {
    static let markers = ["Identity", "Attribute", "Relationship", "Inherited"]

    @Test(arguments: markers)
    func `refuses to stand on a computed property`(marker: String) {
        expectMisuse(of: marker, on: "var x: Int { 1 }")
        expectMisuse(of: marker, on: "var x: Int { get { 1 } set {} }")
    }

    @Test(arguments: markers)
    func `refuses to stand on what is no property of a value`(marker: String) {
        expectMisuse(of: marker, on: "static var x: Int")
        expectMisuse(of: marker, on: "static let x = 1")
    }

    @Test(arguments: markers)
    func `refuses to stand on a function, a type or an initializer`(marker: String) {
        expectMisuse(of: marker, on: "func f() {}")
        expectMisuse(of: marker, on: "struct X {}")
        expectMisuse(of: marker, on: "init() {}")
    }

    @Test(arguments: markers)
    func `has no meaning in a struct that is no entity`(marker: String) {
        expectRefusal(
            """
            struct Thing {
                @\(marker) var x: Int
            }
            """,
            .at(2, 5, "'@\(marker)' has no meaning outside a struct marked '@Entity'"))
    }

    @Test(arguments: markers)
    func `has no meaning at the top of a file or in a nested type`(marker: String) {
        expectRefusal(
            "@\(marker) var x: Int",
            .at(1, 1, "'@\(marker)' has no meaning outside a struct marked '@Entity'"))
        expectRefusal(
            """
            @Other struct Thing {
                @\(marker) var x: Int
            }
            """,
            .at(2, 5, "'@\(marker)' has no meaning outside a struct marked '@Entity'"))
    }

    @Test func `is read on a property with observers`() {
        expectDescriptions(
            of: "@Attribute(\"y\") var x: Int { didSet {} }",
            attributes: ["\"x\", Int.self, key: \"y\""])
    }

    private func expectMisuse(
        of marker: String, on member: String, location: SourceLocation = #_sourceLocation
    ) {
        expectRefusal(
            """
            struct Thing {
                @\(marker) \(member)
            }
            """,
            .at(2, 5, "'@\(marker)' applies to a stored property of an entity"),
            location: location)
    }
}
