import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct ModelCheckTests {
    private func problems(_ json: String) -> [String] {
        do {
            _ = try Model(json: Data(json.utf8))
            return []
        } catch let error as ModelError {
            return error.problems.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    /// The problems of a model of one entity.
    private func problems(entity body: String) -> [String] {
        problems(#"{"entities":{"A":{\#(body)}}}"#)
    }

    private static let entityKeys =
        "abstract, attributes, fetchedAt, identity, mapper, parent, relationships, renamedFrom, "
        + "tombstone, transformer"
    private static let attributeKeys =
        "default, indexed, key, optional, renamedFrom, searchable, transformer, type"
    private static let types =
        "integer, double, decimal, boolean, string, date, url, uuid, data, json"

    @Test(arguments: [
        ("7", "$: expected an object, found number"),
        ("[]", "$: expected an object, found array"),
        ("{}", "entities: required, but missing"),
        (#"{"entities":[]}"#, "entities: expected an object, found array"),
        (#"{"entities":null}"#, "entities: expected an object, found null"),
        (
            #"{"entities":{"A":{}},"kays":1}"#,
            "kays: unknown key; expected one of $schema, entities, keys, name"
        ),
        (
            #"{"entities":{"A":{}},"keys":"camel"}"#,
            "keys: expected one of verbatim, snake_case, found camel"
        ),
        (#"{"entities":{"A":{}},"keys":1}"#, "keys: expected a string"),
        (#"{"entities":{"A":{}},"name":1}"#, "name: expected a string"),
        (#"{"entities":{"A":1}}"#, "entities.A: expected an object, found number"),
        (#"{"entities":{"A":{},"A":{}}}"#, "entities.A: the key stands here twice"),
    ])
    func `names what is wrong with the file`(json: String, problem: String) {
        #expect(problems(json) == [problem])
    }

    @Test(arguments: [
        (#""attribute":{}"#, "entities.A.attribute: unknown key; expected one of \(entityKeys)"),
        (#""attributes":[]"#, "entities.A.attributes: expected an object, found array"),
        (#""relationships":"x""#, "entities.A.relationships: expected an object, found string"),
        (#""identity":"id""#, "entities.A.identity: expected a list of attributes' names"),
        (#""identity":[1]"#, "entities.A.identity: expected a list of attributes' names"),
        (#""identity":["id"]"#, "entities.A.identity[0]: there is no attribute id"),
        (
            #""identity":["id","id"],"attributes":{"id":"integer"}"#,
            "entities.A.identity: an attribute is named twice"
        ),
        (
            #""identity":["id"],"attributes":{"id":{"type":"integer","key":null}}"#,
            "entities.A.identity[0]: id is not mapped, so no JSON can identify an object"
        ),
        (#""renamedFrom":1"#, "entities.A.renamedFrom: expected a string"),
        (#""transformer":1"#, "entities.A.transformer: expected a string"),
    ])
    func `names what is wrong with an entity`(body: String, problem: String) {
        #expect(problems(entity: body) == [problem])
    }

    @Test(arguments: [
        ("7", "a: expected an object, found number"),
        (#""text""#, "a: unknown type text; expected one of \(types)"),
        (#""string??""#, "a: unknown type string??; expected one of \(types)"),
        (#""""#, "a: unknown type ; expected one of \(types)"),
        ("{}", "a.type: required, but missing"),
        (#"{"type":1}"#, "a.type: expected a string"),
        (#"{"type":"int"}"#, "a.type: unknown type int; expected one of \(types)"),
        (
            #"{"type":"string?"}"#,
            #"a.type: expected a type alone; an object says "optional": true"#
        ),
        (#"{"type":"string","name":"x"}"#, "a.name: unknown key; expected one of \(attributeKeys)"),
        (#"{"type":"string","optional":1}"#, "a.optional: expected true or false"),
        (#"{"type":"string","indexed":"yes"}"#, "a.indexed: expected true or false"),
        (#"{"type":"string","searchable":null}"#, "a.searchable: expected true or false"),
        (#"{"type":"string","key":1}"#, "a.key: expected a dotted key path or null"),
        (#"{"type":"string","key":""}"#, "a.key: expected a dotted key path without empty steps"),
        (
            #"{"type":"string","key":"a..b"}"#,
            "a.key: expected a dotted key path without empty steps"
        ),
        (#"{"type":"string","key":".a"}"#, "a.key: expected a dotted key path without empty steps"),
        (#"{"type":"string","transformer":1}"#, "a.transformer: expected a string"),
        (
            #"{"type":"string","transformer":"unix"}"#,
            "a.transformer: unix does not give values of type string"
        ),
        (
            #"{"type":"date","transformer":"number"}"#,
            "a.transformer: number does not give values of type date"
        ),
        (#"{"type":"string","default":1}"#, "a.default: expected a string"),
        (#"{"type":"string","default":null}"#, "a.default: expected a string"),
        (
            #"{"type":"integer","default":1.5}"#,
            "a.default: expected a whole number of at most 64 bits"
        ),
        (
            #"{"type":"integer","default":"1"}"#,
            "a.default: expected a whole number of at most 64 bits"
        ),
        (#"{"type":"double","default":true}"#, "a.default: expected a number"),
        (#"{"type":"boolean","default":1}"#, "a.default: expected true or false"),
        (
            #"{"type":"decimal","default":"12abc"}"#,
            "a.default: expected a decimal number of at most 38 digits, or one in a string"
        ),
        (#"{"type":"uuid","default":"x"}"#, "a.default: expected a UUID"),
        (
            #"{"type":"date","default":"today"}"#,
            "a.default: expected a date as in ISO 8601, or seconds since the beginning of 2001"
        ),
        (
            #"{"type":"data","default":"AQID"}"#,
            "a.default: attributes of type data have no default"
        ),
        (#"{"type":"json","default":{}}"#, "a.default: attributes of type json have no default"),
    ])
    func `names what is wrong with an attribute`(attribute: String, problem: String) {
        #expect(
            problems(entity: #""attributes":{"a":\#(attribute)}"#)
                == ["entities.A.attributes.\(problem)"])
    }

    @Test(arguments: [
        (#""A""#, "a: expected an object, found string"),
        ("{}", "a.to: required, but missing"),
        (#"{"to":1}"#, "a.to: expected a string"),
        (
            #"{"to":"B"}"#,
            "a.to: there is no entity B in the model; add it where the store's entities are listed"
        ),
        (
            #"{"to":"A","min":1}"#,
            "a.min: unknown key; expected one of delete, inverse, key, many, optional, ordered, partial, policy, renamedFrom, to"
        ),
        (#"{"to":"A","many":1}"#, "a.many: expected true or false"),
        (
            #"{"to":"A","delete":"no"}"#,
            "a.delete: expected one of nullify, cascade, deny, found no"
        ),
        (
            #"{"to":"A","many":true,"policy":"add"}"#,
            "a.policy: expected one of set, union, replace, found add"
        ),
        (
            #"{"to":"A","ordered":true}"#,
            #"a.ordered: only a to-many relationship has this; say "many": true"#
        ),
        (#"{"to":"A","inverse":"b"}"#, "a.inverse: A has no relationship b"),
        (#"{"to":"A","key":[]}"#, "a.key: expected a dotted key path or null"),
    ])
    func `names what is wrong with a relationship`(relationship: String, problem: String) {
        #expect(
            problems(entity: #""relationships":{"a":\#(relationship)}"#)
                == ["entities.A.relationships.\(problem)"])
    }

    @Test func `an inverse leads back`() {
        func problems(_ there: String, _ back: String) -> [String] {
            self.problems(
                #"{"entities":{"A":{"relationships":{"b":{"to":"B"\#(there)}}},"B":{"relationships":{"a":{"to":"A"\#(back)}}}}}"#
            )
        }
        #expect(problems(#","inverse":"a""#, #","many":true,"inverse":"b""#) == [])
        #expect(problems(#","many":true,"inverse":"a""#, #","many":true,"inverse":"b""#) == [])
        #expect(
            problems(#","many":true,"inverse":"a""#, #","many":true"#)
                == ["entities.A.relationships.b.inverse: B.a does not name A.b as its inverse"])
        #expect(
            problems(#","many":true,"ordered":true,"inverse":"a""#, #","inverse":"b""#)
                == [
                    "entities.A.relationships.b.ordered: the inverse of a to-one relationship has no order; say ordered: false"
                ])
        #expect(problems(#","inverse":"a""#, #","inverse":"b""#).count == 2)
    }

    @Test(arguments: ["", "a.b", "$id", "$", "a\\u0000b"])
    func `refuses names that a store cannot carry`(name: String) {
        let path = "can't carry this name"
        #expect(problems(#"{"entities":{"\#(name)":{}}}"#).filter { $0.contains(path) }.count == 1)
        let attributes = problems(entity: #""attributes":{"\#(name)":{"type":"string","key":"k"}}"#)
        #expect(attributes.filter { $0.contains(path) }.count == 1)
        let links = problems(entity: #""relationships":{"\#(name)":{"to":"A","key":"k"}}"#)
        #expect(links.filter { $0.contains(path) }.count == 1)
    }

    @Test(arguments: [
        "a", "_", "größe", "two words", "select", "it's", "a\\\"b", "a;b", "1st", "日本", "class",
        "sqlite", "'", "]", "[", "`", "\\\\", "+", " ", "a\\nb", "\\u0085", "--", "a$",
    ])
    func `takes names that a store can carry`(name: String) {
        #expect(problems(#"{"entities":{"\#(name)":{"attributes":{"\#(name)":"string"}}}}"#) == [])
    }

    @Test(arguments: ["sqlite_x", "SQLite_x"])
    func `refuses entities whose tables SQLite has for itself`(name: String) {
        #expect(
            problems(#"{"entities":{"\#(name)":{"attributes":{"\#(name)":"string"}}}}"#) == [
                "entities.\(name): SQLite has names that begin with sqlite_ for itself"
            ])
    }

    @Test(arguments: ["Json_each", "pragma_table_info"])
    func `refuses entities whose tables would hide a function`(name: String) {
        #expect(
            problems(#"{"entities":{"\#(name)":{"attributes":{"\#(name)":"string"}}}}"#) == [
                "entities.\(name): SQLite has a function of that name, which is needed"
            ])
    }

    @Test func `names are as long as anybody likes`() {
        let name = String(repeating: "n", count: 10_240)
        #expect(problems(#"{"entities":{"\#(name)":{"attributes":{"\#(name)":"string"}}}}"#) == [])
    }

    @Test func `names differ by more than case`() {
        #expect(
            problems(#"{"entities":{"Issue":{},"issue":{}}}"#) == [
                "entities.Issue: another entity has this name (case does not count)",
                "entities.issue: another entity has this name (case does not count)",
            ])
        #expect(
            problems(
                entity:
                    #""attributes":{"id":"integer"},"relationships":{"ID":{"to":"A","key":null}}"#)
                == ["entities.A: two properties are named id (case does not count)"])
    }

    @Test func `two properties on one key path mean the same`() {
        #expect(
            problems(
                entity:
                    #""attributes":{"a":{"type":"string","key":"k"},"b":{"type":"integer","key":"k"}}"#
            )
                == ["entities.A: a and b read k with different meaning"])
        #expect(
            problems(
                entity:
                    #""attributes":{"a":{"type":"date","key":"k"},"b":{"type":"date","transformer":"unix","key":"k"}}"#
            )
                == ["entities.A: a and b read k with different meaning"])
        #expect(
            problems(
                entity: #""attributes":{"a":"string"},"relationships":{"b":{"to":"A","key":"a"}}"#)
                == ["entities.A: a and b read a with different meaning"])
        #expect(
            problems(
                entity:
                    #""attributes":{"a":{"type":"string","key":"k"},"b":{"type":"string","optional":true,"key":"k"}}"#
            )
                == [])
        #expect(
            problems(
                entity:
                    #""attributes":{"a":{"type":"string","key":null},"b":{"type":"integer","key":null}}"#
            ) == [])
    }

    @Test func `an entity has only so many columns`() {
        func attributes(_ count: Int) -> String {
            (0..<count).map { "\"a\($0)\":\"integer\"" }.joined(separator: ",")
        }
        let limit = EntityDescription.maximumColumnCount
        #expect(problems(entity: #""attributes":{\#(attributes(limit))}"#) == [])
        #expect(problems(entity: #""attributes":{\#(attributes(limit + 1))}"#).count == 1)
        #expect(
            problems(
                entity: #""attributes":{\#(attributes(limit))},"relationships":{"b":{"to":"A"}}"#
            ).count == 1)
        #expect(
            problems(
                entity:
                    #""attributes":{\#(attributes(limit))},"relationships":{"b":{"to":"A","many":true}}"#
            ) == [])
    }

    @Test func `all problems are reported at once`() {
        let problems = problems(
            #"""
            {"nam":"x","keys":"kebab","entities":{
              "Issue":{"identity":["id","number"],"attributes":{"id":"integer","title":"text","n":{"type":"integer","default":"x"}},
                       "relationships":{"user":{"to":"Person"},"labels":{"to":"Label","many":true,"inverse":"issue"}}},
              "Label":{"relationships":{"issues":{"to":"Issue","many":true}}}}}
            """#)
        #expect(
            problems == [
                "nam: unknown key; expected one of $schema, entities, keys, name",
                "keys: expected one of verbatim, snake_case, found kebab",
                "entities.Issue.attributes.title: unknown type text; expected one of \(Self.types)",
                "entities.Issue.attributes.n.default: expected a whole number of at most 64 bits",
                "entities.Issue.identity[1]: there is no attribute number",
                "entities.Issue.relationships.user.to: there is no entity Person in the model;"
                    + " add it where the store's entities are listed",
                "entities.Issue.relationships.labels.inverse: Label has no relationship issue",
            ])
    }

    @Test func `what refers to a part that cannot be read is not wrong as well`() {
        #expect(problems(entity: #""identity":["id"],"attributes":{"id":"int"}"#).count == 1)
        #expect(problems(entity: #""identity":["id"],"attributes":7"#).count == 1)
        #expect(
            problems(#"{"entities":{"A":{"relationships":{"b":{"to":"B"}}},"B":7}}"#).count == 1)
        #expect(
            problems(
                #"{"entities":{"A":{"relationships":{"b":{"to":"B","many":true,"inverse":"a"}}},"B":{"relationships":{"a":{"to":1}}}}}"#
            )
            .count == 1)
    }

    @Test func `an error is a list for people`() {
        let error = #expect(throws: ModelError.self) {
            try Model(json: Data(#"{"name":"Shop","entities":{"A":{"x":1},"B":2}}"#.utf8))
        }
        #expect(error?.model == "Shop")
        #expect(
            error?.description == """
                The model Shop can't be used:
                  entities.A.x: unknown key; expected one of \(Self.entityKeys)
                  entities.B: expected an object, found number
                """)
    }

    @Test func `what reads a single value or an array leaves nothing for key paths through it`() {
        func problems(_ whole: String, _ part: String) -> [String] {
            self.problems(
                entity: #""attributes":{"a":{"type":"\#(whole)","key":"k"},"#
                    + #""b":{"type":"string","key":"k\#(part)"}}"#)
        }
        let problem = "entities.A: b reads k.x, which can't be there where a can read k"
        #expect(problems("string", ".x") == [problem])
        #expect(problems("integer", ".x") == [problem])
        #expect(problems("string", "x") == [])
        #expect(problems("json", ".x") == [])
    }
}
