import Foundation
import Larder

// error: type 'Pathless' does not conform to protocol 'Endpoint'
struct Pathless: Endpoint {
    let method = HTTPRequest.Method.post
}

// error: type 'Numbered' does not conform to protocol 'Endpoint'
struct Numbered: Endpoint {
    let path = 5
}

// error: type 'Unsure' does not conform to protocol 'Endpoint'
struct Unsure: Endpoint {
    let path: String?
}

func partsThatAreNone(_ name: String?, _ names: [String], _ plain: Plain) -> [URLPath] {
    // error: a part of a path is text, a number, a UUID or a raw value; unwrap an optional
    // warning: string interpolation produces a debug description for an optional value
    let one: URLPath = "users/\(name)"
    // error: and write several as 'segments:'
    let two: URLPath = "users/\(names)"
    // error: a part of a path is text, a number, a UUID or a raw value; unwrap an optional
    let three: URLPath = "users/\(plain)"
    return [one, two, three]
}

func callsOfNoEndpoint(_ client: Client, _ path: String, _ plain: Plain) {
    // error: cannot convert value of type 'String' to expected argument type 'URLPath'
    client.enqueue(.get(path), as: [Author].self)
    // error: 'Plain'
    client.enqueue(.get("users", query: ["plain": plain]), as: [Author].self)
    // error: nothing says what the response becomes: write 'enqueue(…, as: [User].self)'
    client.enqueue(.get("users", query: ["page": 2])).then { print($0.name) }
    // error: a response becomes an entity, a 'Many', an array or an optional of these
    client.enqueue(.get("users"), as: Plain.self).then { print($0) }
}

struct Helped: Endpoint {
    var path: URLPath { "search" }
    // error: property 'query' must be as accessible as its enclosing type
    private var query: String { "q=a" }
}
