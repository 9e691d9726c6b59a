import Larder

/// Isolated to the main actor, as is all that is not marked: it can't be decoded elsewhere.
struct Meta: Decodable { var total: Int }

// error: type 'Count' does not conform to protocol 'RespondingEndpoint'
// error: where the module is isolated to the main actor, mark the type 'nonisolated'
struct Count: RespondingEndpoint {
    typealias Response = Meta
    var path: String { "count" }
}

extension Transformer {
    static let euro = Transformer("euro", from: { (text: String) in Double(text) })
}

enum Defaults { static let name = "n" }

// error: main actor-isolated default value in a nonisolated context
@Entity struct Priced {
    @Identity var id: Int
    @Attribute("p", .euro) var price: Double?
}

// error: main actor-isolated default value in a nonisolated context
@Entity struct Named {
    @Identity var id: Int
    var name: String = Defaults.name  // error: main actor-isolated default value
}

func aTypeThatIsDecodedOnTheMainActor(_ client: Client) async throws {
    // error: main actor-isolated conformance of 'Meta' to 'Decodable'
    client.enqueue(Get(path: "a"), as: Meta.self)
}

func aBodyThatIsEncodedOnTheMainActor() -> RequestBody {
    struct Draft: Encodable, Sendable { var title: String }
    // error: main actor-isolated conformance of 'Draft' to 'Encodable'
    return .json(Draft(title: "x"))
}
