// A model known at run time only, and objects back to JSON.

import Foundation
import Larder

let model = try Model(
    json: Data(
        #"""
        {"name": "Issues", "keys": "snake_case", "entities": {
          "Issue": {"identity": ["id"], "attributes": {"id": "integer", "title": "string", "closedAt": "date?"},
                    "relationships": {"user": {"to": "User"}}},
          "User": {"identity": ["id"], "attributes": {"id": "integer", "login": "string"}}}}
        """#.utf8))
let store = try Store.inMemory(model: model)

// snippet.import
let page = Data(
    #"""
    {"data": {"items": [{"id": 1, "title": "It burns", "closed_at": null, "user": {"id": 7, "login": "ann"}}]}}
    """#.utf8)
let issues = try store.import("Issue", from: page, at: "data.items")
print(try issues.fetch().map { $0["title"] })

// snippet.fetch
let open = DynamicQuery("Issue").where("closedAt is null and user.login = 'ann'").sorted("-title")
for issue in try store.fetch(open) {
    let user = try issue.one("user")
    print(try issue.value("title", as: String.self), user?["login"] as Any)
}

// snippet.json
print(String(decoding: try store.json(open), as: UTF8.self))
print(String(decoding: try store.json(open, relationships: .identities), as: UTF8.self))
// [{"id":1,"title":"It burns","closed_at":null,"user":7}]
try store.export(DynamicQuery("User")) { object in print(object.count, "bytes") }
