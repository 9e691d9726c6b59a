import Foundation

/// Feeds the mapper with whatever the fuzzer makes up of JSON, for a model that has all there is.
///
/// What is taken must leave links that lead somewhere, and mapped again it must add no row; what is
/// refused must leave nothing behind. Every run starts with an empty store.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMapper(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let data = Data(bytes: start, count: count)
    do {
        try target.run(data)
    } catch {
        fail("the transaction ended in \(error)", data)
    }
    return 0
}

private let target: MapperTarget = {
    do { return try MapperTarget() } catch { fatalError("no store: \(error)") }
}()

private func fail(_ message: String, _ data: Data) -> Never {
    print("\(message), by these \(data.count) bytes in base64: \(data.base64EncodedString())")
    abort()
}

/// A store in memory, and what must hold of it.
///
/// Unchecked because the fuzzer has one thread.
private final class MapperTarget: @unchecked Sendable {
    private let store: Store
    private struct Rollback: Error {}

    init() throws {
        let model = try Model(json: Data(fuzzModel.utf8), name: "Fuzz")
        var configuration = Store.Configuration()
        configuration.objectTransformers = [
            ObjectTransformer("unwrap") { object in
                object["w"].flatMap { $0.reason == .object ? JSONObject($0) : nil }
            }
        ]
        store = try Store.inMemory(model: model, configuration: configuration)
    }

    func run(_ data: Data) throws {
        guard let document = try? JSONDocument(data), let copy = try? JSONDocument(data) else {
            return
        }
        do {
            try store.write { context in
                try insert(document, twice: copy, in: context, data)
                throw Rollback()
            }
        } catch is Rollback {
            return
        }
    }

    private func insert(
        _ document: JSONDocument, twice copy: JSONDocument, in context: Context, _ data: Data
    ) throws {
        let connection = context.connection
        for entity in store.plan.entities.indices {
            fuzzedEntity = store.plan.entities[entity].name
            let before = try counts(connection)
            do {
                try context.import(Fuzzed.self, from: document.root)
            } catch let error as MappingError {
                if error.description.isEmpty { fail("an error says nothing", data) }
                if try counts(connection) != before { fail("\(fuzzedEntity): half stored", data) }
                continue
            }
            let after = try counts(connection)
            do {
                try context.import(Fuzzed.self, from: copy.root)
            } catch {
                fail("\(fuzzedEntity): taken once, refused the second time: \(error)", data)
            }
            if try counts(connection) != after {
                fail("\(fuzzedEntity): the second time added rows", data)
            }
        }
        let stray = try connection.value("SELECT count(*) FROM pragma_foreign_key_check")
        if stray != .integer(0) { fail("links that lead nowhere", data) }
    }

    /// How many rows each table has.
    private func counts(_ connection: Connection) throws -> [SQLValue?] {
        try store.plan.entities.map { try connection.value("SELECT count(*) FROM \($0.table)") }
    }
}

nonisolated(unsafe) private var fuzzedEntity = ""

/// What stands in the document, as an object or as a list of the entity at hand.
private struct Fuzzed: Importable {
    static func `import`(from value: JSONValue, in context: Context) throws -> Fuzzed {
        if value.kind == .array {
            _ = try context.mapElements(of: value, as: fuzzedEntity)
        } else {
            _ = try context.map(value, as: fuzzedEntity)
        }
        return Fuzzed()
    }
}

private let fuzzModel = """
    {
      "name": "Fuzz",
      "entities": {
        "Thing": {
          "identity": ["id"],
          "attributes": {
            "id": "integer", "name": "string", "a": "integer?", "b": "double?", "c": "decimal?",
            "d": "boolean?", "e": "date?", "f": "url?", "g": "uuid?", "h": "data?", "j": "json?",
            "k": { "type": "date", "optional": true, "transformer": "rfc1123" },
            "l": { "type": "date", "optional": true, "transformer": "unix" },
            "m": { "type": "integer", "optional": true, "transformer": "number", "key": "x.y" },
            "n": { "type": "boolean", "transformer": "boolean", "default": true },
            "o": { "type": "string", "optional": true, "transformer": "string", "key": "x.z" }
          },
          "relationships": {
            "owner": { "to": "Owner", "optional": true, "inverse": "things" },
            "parent": { "to": "Thing", "optional": true, "key": "x.p" },
            "tags": { "to": "Tag", "many": true, "ordered": true, "inverse": "things" },
            "friends": { "to": "Thing", "many": true, "inverse": "friends" },
            "pairs": { "to": "Pair", "many": true, "policy": "union" }
          }
        },
        "Owner": {
          "identity": ["id"],
          "attributes": { "id": { "type": "string", "transformer": "string" }, "name": "string?" },
          "relationships": {
            "things": { "to": "Thing", "many": true, "inverse": "owner", "policy": "replace" },
            "best": { "to": "Thing", "optional": true }
          }
        },
        "Tag": {
          "identity": ["id"],
          "attributes": { "id": "uuid", "name": "string?" },
          "relationships": { "things": { "to": "Thing", "many": true, "inverse": "tags" } }
        },
        "Pair": {
          "identity": ["a", "b"],
          "attributes": { "a": "integer", "b": "string", "c": "string?" },
          "relationships": { "tag": { "to": "Tag", "optional": true } }
        },
        "Message": {
          "abstract": true,
          "identity": ["id"],
          "mapper": { "key": "type", "values": { "t": "Text", "p": "Picture", "s": "Sticker" } },
          "attributes": { "id": "integer", "e": "date?" },
          "relationships": {
            "reply": { "to": "Message", "optional": true, "inverse": "replies" },
            "replies": { "to": "Message", "many": true, "inverse": "reply" },
            "tags": { "to": "Tag", "many": true, "policy": "union" }
          }
        },
        "Text": {
          "parent": "Message",
          "attributes": { "name": "string", "n": { "type": "boolean", "default": true } },
          "relationships": { "best": { "to": "Picture", "optional": true } }
        },
        "Picture": { "parent": "Message", "attributes": { "f": "url?" } },
        "Sticker": { "parent": "Picture", "attributes": { "a": "integer" } },
        "Note": {
          "identity": ["id"],
          "transformer": "unwrap",
          "attributes": { "id": "string", "a": "integer?" },
          "relationships": {
            "owner": { "to": "Note", "optional": true }, "pairs": { "to": "Note", "many": true }
          }
        }
      }
    }
    """
