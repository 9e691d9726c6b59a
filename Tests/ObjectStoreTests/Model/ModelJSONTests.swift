import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct ModelJSONTests {
    private var model: Model {
        get throws { try Model(name: "All", entities: [ModelTests.thing, ModelTests.other]) }
    }

    @Test func `survives the way to the file format and back`() throws {
        let model = try model
        let copy = try Model(json: Data(model.json.utf8))
        #expect(copy == model)
        #expect(copy.name == "All")
        #expect(try copy.json == model.json)
    }

    @Test func `so does one of no entities`() throws {
        let model = try Model(name: "None", entities: [EntityDescription]())
        #expect(try model.json == #"{"entities":{},"name":"None"}"#)
        #expect(try Model(json: Data(model.json.utf8)) == model)
    }

    @Test func `survives Foundation's coders and its own`() throws {
        let model = try model
        let data = try JSONEncoder().encode([model])
        #expect(try JSONDecoder().decode([Model].self, from: data) == [model])
        #expect(try JSONDocument(data).root.decode([Model].self) == [model])
        let list = try PropertyListEncoder().encode(Wrapped(model: model))
        #expect(try PropertyListDecoder().decode(Wrapped.self, from: list).model == model)
    }

    private struct Wrapped: Codable { var model: Model }

    @Test func `a decoder reports all problems as well`() throws {
        let json = Data(#"{"entities":{"A":{"x":1},"B":{"y":2}}}"#.utf8)
        let errors = [
            #expect(throws: ModelError.self) { try JSONDecoder().decode(Model.self, from: json) },
            #expect(throws: ModelError.self) { try JSONDocument(json).root.decode(Model.self) },
        ]
        for error in errors { #expect(error?.problems.count == 2) }
    }

    @Test(arguments: ["GitHub", "Inbox", "World"])
    func `the package's own model files can be read`(name: String) throws {
        let file = ConformanceFiles.root.appending(path: "Schema/\(name).json")
        let model = try Model(contentsOf: file)
        #expect(model.name == name)
        #expect(try Model(json: Data(model.json.utf8)) == model)
    }
}
