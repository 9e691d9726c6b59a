import Foundation
import Larder

nonisolated struct Draft: Encodable, Sendable {
    var title: String
}

struct Post: Endpoint {
    var path: String { "posts" }
    var body: RequestBody? {
        .json(["title": "x", "n": 3, "made": Date(timeIntervalSince1970: 0)])
    }
}

func bodiesAreMadeOfJSON(_ draft: Draft, _ note: String?, _ encoder: JSONEncoder) -> [RequestBody] {
    [
        .json(draft),
        .json([draft]),
        .json([1, 2]),
        .json("text"),
        .json(["a": 1, "b": 2]),
        .json(["a": 1, "b": "x"]),
        .json(["a": 1, "note": note]),
        .json(["a": nil]),
        .json(["draft": draft, "list": ["x", "y"], "counts": ["a": 1], "is": true, "price": 2.5]),
        .json(["a": 1, "b": "x"], encoder: encoder),
        .json([:]),
    ]
}

func anEntityThatCanBeEncodedIs<Value: Entity & Encodable>(_ value: Value) -> RequestBody {
    .json(value)
}
