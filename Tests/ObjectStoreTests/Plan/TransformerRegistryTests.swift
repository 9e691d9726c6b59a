import Foundation
import Testing

@testable import LarderObjectStore

/// Transformers that a model names and the configuration knows.
@Suite struct TransformerRegistryTests {
    @Test func `a name in a model is looked up where the store is opened`() throws {
        let model = try Model(
            json: Data(
                #"{"entities":{"Thing":{"attributes":{"color":{"type":"integer","transformer":"hexColor"}}}}}"#
                    .utf8))
        var configuration = Store.Configuration()
        configuration.transformers = [HexColor.transformer]
        let store = try Store.inMemory(model: model, configuration: configuration)
        let imported = try store.import("Thing", from: Data(##"{"color":"#10"}"##.utf8))
        #expect(try imported.fetch()[0].value("color") == 16)
        #expect(try imported.json() == Data(##"[{"color":"#10"}]"##.utf8))
    }

    @Test func `names that nobody knows are told at once`() throws {
        let model = try Model(
            json: Data(
                #"""
                {"entities": {"A": {"transformer": "flat",
                   "attributes": {"x": {"type": "integer", "transformer": "nobody"},
                                  "y": {"type": "string", "transformer": "hexColor"}}}}}
                """#.utf8))
        var configuration = Store.Configuration()
        configuration.transformers = [HexColor.transformer]
        let error = #expect(throws: ModelError.self) {
            try Store.inMemory(model: model, configuration: configuration)
        }
        #expect(
            error?.problems.map(\.description) == [
                "entities.A.transformer: unknown transformer flat; register it in"
                    + " Store.Configuration.objectTransformers",
                "entities.A.attributes.x.transformer: unknown transformer nobody; expected one of"
                    + " base64, boolean, iso8601, number, rfc1123, string, unix, unixMilliseconds, or"
                    + " one registered in Store.Configuration.transformers",
                "entities.A.attributes.y.transformer: hexColor does not give values of type string",
            ])
    }
}
