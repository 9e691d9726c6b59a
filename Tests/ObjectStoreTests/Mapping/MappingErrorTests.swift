import Testing

@testable import LarderObjectStore

struct MappingErrorTests {
    @Test(arguments: [
        (MappingError.Reason.missing, "required, but missing"), (.null, "required, but null"),
        (.unexpectedValue(expected: "a string", found: "5"), "expected a string, found 5"),
        (.nothingMapped(keys: ["a", "b"]), "none of its keys is mapped: a, b"),
        (.notIdentifiable, "a reference needs an entity that one attribute identifies"),
        (
            .requiredByInverse,
            """
            an object that falls out of the array can't be without its owner; policy: .replace at the \
            array deletes it, an optional owner lets it stay, and an identity tells what it is where \
            it comes again
            """
        ),
        (.refused("UNIQUE"), "refused by the store: UNIQUE"),
        (.abstract(value: nil), "the entity is abstract, and nothing says which sub-entity it is"),
        (
            .abstract(value: "x"),
            "the entity is abstract, and its mapper knows no sub-entity for x"
        ),
        (
            .otherEntity("Villain"),
            "the object with this identity is in the store as one of Villain"
        ),
        (.transformer("trim", message: "no text"), "the transformer trim failed: no text"),
        (.rule("is brave"), "breaks the rule: is brave"),
    ])
    func `says entity, attribute, path and reason`(
        _ reason: MappingError.Reason, _ text: String
    ) {
        let error = MappingError(
            entity: "Hero", attribute: "name", path: "$[3].name", reason: reason)
        #expect(String(describing: error) == "Hero.name at $[3].name: \(text)")
        let whole = MappingError(entity: "Hero", attribute: nil, path: "$", reason: reason)
        #expect(String(describing: whole) == "Hero at $: \(text)")
    }

    @Test func `quotes long values only in part`() throws {
        let comics = try Comics.fixture()
        let long = String(repeating: "x", count: 10_000)
        let error = try #require(
            comics.mappingError("Hero", #"{"id": 1, "name": "A", "strength": "\#(long)"}"#))
        #expect(String(describing: error).utf8.count < 200)
        #expect(error.path == "$.strength")
    }

    @Test func `its path quotes keys that are no plain names`() throws {
        let fixture = try StoreFixture(
            .numbered("Thing", AttributeDescription("a", .string, key: "odd \"key\"")))
        #expect(
            fixture.mappingError("Thing", #"[{"id": 1, "odd \"key\"": 2}]"#)?.path
                == #"$[0]["odd \"key\""]"#)
    }

    @Test func `where something is missing it says what was looked for`() throws {
        let fixture = try StoreFixture(
            .numbered("Thing", AttributeDescription("name", .string, key: "meta.name")))
        let error = try #require(
            fixture.mappingError("Thing", #"{"id": 1, "title": "x", "meta": {}}"#))
        #expect(
            String(describing: error)
                == "Thing.name at $: required, but missing; looked for meta.name,"
                + " found id, title, meta")
        #expect(
            error
                == MappingError(entity: "Thing", attribute: "name", path: "$", reason: .missing))
    }
}
