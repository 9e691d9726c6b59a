import Foundation
import Testing

@testable import LarderObjectStore

/// What is wrong with families of entities, in files and in types.
@Suite struct InheritanceCheckTests {
    private func problems(_ entities: String) -> [String] {
        do {
            _ = try Model(json: Data(#"{"entities":{\#(entities)}}"#.utf8))
            return []
        } catch let error as ModelError {
            return error.problems.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    // MARK: Files

    @Test(arguments: [
        (#""A":{"parent":"B"}"#, "entities.A.parent: there is no entity B in the model"),
        (#""A":{"parent":1}"#, "entities.A.parent: expected a string"),
        (#""A":{"parent":"A"}"#, "entities.A.parent: an entity can't be its own ancestor: A > A"),
        (
            #""A":{"abstract":true}"#,
            "entities.A.abstract: there can be no objects of it: no entity that is not abstract has"
                + " it as its parent"
        ),
        (#""A":{"abstract":"yes"}"#, "entities.A.abstract: expected true or false"),
        (#""A":{"mapper":[]}"#, "entities.A.mapper: expected an object, found array"),
        (#""A":{"mapper":{"key":"k"}}"#, "entities.A.mapper.values: required, but missing"),
        (
            #""A":{"mapper":{"values":{"a":"A"}}}"#,
            "entities.A.mapper.key: required, but missing"
        ),
        (
            #""A":{"mapper":{"key":"k","values":{"a":"A"},"else":"A"}}"#,
            "entities.A.mapper.else: unknown key; expected one of key, values"
        ),
        (
            #""A":{"mapper":{"key":"a..b","values":{"a":"A"}}}"#,
            "entities.A.mapper.key: expected a dotted key path without empty steps"
        ),
        (
            #""A":{"mapper":{"key":"k","values":{}}}"#,
            "entities.A.mapper.values: expected at least one value"
        ),
        (
            #""A":{"mapper":{"key":"k","values":{"b":"B"}}}"#,
            "entities.A.mapper.values.b: there is no entity B in the model"
        ),
        (
            #""A":{"mapper":{"key":"k","values":{"b":1}}}"#,
            "entities.A.mapper.values.b: expected a string"
        ),
        (
            #""A":{"mapper":{"key":"k","values":{"b":"B"}}},"B":{}"#,
            "entities.A.mapper.values.b: B is neither A nor one of its sub-entities"
        ),
        (
            #""A":{"abstract":true,"mapper":{"key":"k","values":{"a":"A"}}},"B":{"parent":"A"}"#,
            "entities.A.mapper.values.a: A is abstract, so there are no objects of it"
        ),
        (
            #""A":{"attributes":{"x":"string"}},"B":{"parent":"A","attributes":{"X":"string"}}"#,
            "entities.B: x is inherited already (case does not count)"
        ),
        (
            #""A":{"attributes":{"x":{"type":"string","key":"k"}}},"#
                + #""B":{"parent":"A","attributes":{"y":{"type":"date","key":"k"}}}"#,
            "entities.B: x and y read k with different meaning"
        ),
        (
            #""A":{},"B":{"parent":"A","attributes":{"x":"string"}},"#
                + #""C":{"parent":"A","attributes":{"x":"date"}}"#,
            "entities.C: x would share a column with B.x, which is of another kind; give one of them"
                + " another name, and its key"
        ),
        (
            #""A":{},"B":{"parent":"A","identity":["y"]}"#,
            "entities.B.identity[0]: there is no attribute y"
        ),
    ])
    func `names what is wrong with a family`(entities: String, problem: String) {
        #expect(problems(entities) == [problem])
    }

    @Test func `a cycle of parents is told to each of them`() {
        #expect(
            problems(#""A":{"parent":"B"},"B":{"parent":"C"},"C":{"parent":"A"}"#) == [
                "entities.A.parent: an entity can't be its own ancestor: A > B > C > A",
                "entities.B.parent: an entity can't be its own ancestor: B > C > A > B",
                "entities.C.parent: an entity can't be its own ancestor: C > A > B > C",
            ])
    }

    @Test func `all that is wrong with families and properties is told at once`() {
        let found = problems(
            #""A":{"abstract":true,"parent":"X","mapper":{"key":"","values":{"b":"Y"}}},"#
                + #""B":{"identity":["z"],"attributes":{"a":"text"},"size":1},"#
                + #""C":{"parent":"B","relationships":{"r":{"to":"Z","ordered":true}}}"#)
        for part in [
            "entities.A.abstract", "entities.A.parent", "entities.A.mapper.key",
            "entities.A.mapper.values.b", "entities.B.identity[0]", "entities.B.attributes.a",
            "entities.B.size", "entities.C.relationships.r.to",
            "entities.C.relationships.r.ordered",
        ] {
            // What could not be read may be what makes an abstract entity useful.
            let isTold = found.contains { $0.hasPrefix(part) }
            #expect(isTold || part == "entities.A.abstract", "\(part)")
        }
    }

    @Test func `what could not be read is not missed`() {
        #expect(
            problems(#""A":{"parent":"B","mapper":{"key":"k","values":{"b":"B"}}},"B":7"#) == [
                "entities.B: expected an object, found number"
            ])
    }

    @Test func `families that are right are taken`() throws {
        #expect(
            problems(
                #""A":{"abstract":true,"identity":["id"],"attributes":{"id":"integer"}},"#
                    + #""B":{"parent":"A","attributes":{"x":"string?"}},"#
                    + #""C":{"parent":"A","attributes":{"x":{"type":"string","key":"y"}}},"#
                    + #""D":{"parent":"C","abstract":false,"identity":["x"]}"#) == [])
        let model = try Model(
            contentsOf: ConformanceFiles.root.appending(path: "Schema/Inbox.json"))
        #expect(try Model(json: Data(model.json.utf8)) == model)
        #expect(model[entity: "Sticker"]?.parent == "PictureMessage")
        #expect(model[entity: "Message"]?.isAbstract == true)
        #expect(model[entity: "Message"]?.mapper?.values["text"] == "TextMessage")
    }

    // MARK: Types

    private struct Columns: EntityColumns { init(path: ColumnPath) {} }

    private struct Orphan: Entity {
        static let entityName = "Orphan"
        static let entityDescription = EntityDescription(name: "Orphan")
        static let inheritedProperties = [InheritedProperty.attribute("name", String.self)]
        typealias Columns = InheritanceCheckTests.Columns
        init(row: EntityRow) throws {}
    }

    private struct Stray: Entity {
        static let entityName = "Stray"
        static let parentType: (any Entity.Type)? = Ancestor.self
        static let entityDescription = EntityDescription(name: "Stray", parent: "Orphan")
        typealias Columns = InheritanceCheckTests.Columns
        init(row: EntityRow) throws {}
    }

    @Test func `types and descriptions agree on parents`() {
        #expect(
            Model.problems(Orphan.self) == [
                "entities.Orphan.name: an entity without a parent inherits nothing"
            ])
        #expect(
            Model.problems(Stray.self, Ancestor.self).contains(
                "entities.Stray.parent: the type's parent is Base, its description's Orphan"))
    }

    @Test func `a parent comes along with its sub-entity`() throws {
        let model = try Model(
            name: "M", entities: Sticker.self, Sender.self, Topic.self, TextMessage.self)
        #expect(
            model.entities.map(\.name)
                == ["Message", "PictureMessage", "Sender", "Sticker", "TextMessage", "Topic"])
    }
}
