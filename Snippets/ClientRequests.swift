// Requests: endpoints without a type, paths of parts, queries, bodies.

import Foundation
import Larder

@Entity struct Note {
    @Identity var id: Int
    var title: String
    var text: String?
}

struct Filter: Encodable {
    var minLength: Int?
    var tags: [String] = []
}

func adHoc(_ client: Client, name: String, nextPage: URL) {
    // snippet.adhoc
    client.enqueue(.get("notes", query: ["page": 2, "open": true]), as: [Note].self)
        .then { notes in print(notes.count) }
    client.enqueue(.post("users/\(name)/notes", body: .json(["title": "Dunes", "stars": 3])))
        .then { (note: Note) in print(note.id) }
    client.enqueue(.get(URLPath(nextPage)), as: [Note].self).then { print($0) }
    // snippet.end
}

// snippet.paths
enum Notes: Endpoint {
    case of(user: String)
    case file(user: String, steps: [String])

    var path: URLPath {
        switch self {
        case .of(let user): "users/\(user)/notes"
        case .file(let user, let steps): "users/\(user)/files/\(segments: steps)"
        }
    }
}
// snippet.end

// snippet.query
struct Search: Endpoint {
    var text: String
    var page: Int?

    let path = "search"
    var query: QueryParameters { ["q": text, "page": page, "sort": ["stars", "name"]] }
}

func search(_ client: Client, _ filter: Filter) -> Promise<[Note]> {
    // min_length=3&tags=a,b
    client.enqueue(.get("notes", query: QueryParameters(filter, arrays: .commas)))
}
// snippet.end

func bodies(_ note: Note, _ old: Filter, _ new: Filter, _ store: Store, _ photo: URL)
    -> [RequestBody]
{
    // snippet.bodies
    let bodies: [RequestBody] = [
        .json(["title": "Dunes", "text": nil]),
        // As the store has it: what was changed in `note` is saved first, or not sent.
        .json(of: note, in: store, relationships: .identities),
        .form(["grant_type": "password", "remember": true]),
        .multipart(fields: ["title": "Dunes"], [.file("photo", photo)]),
        .file(photo),
        .json(new).compressed(),

        // RFC 7396: a text that is null is removed, a title that is not there stays.
        .mergePatch(["text": nil]),
        .mergePatch(from: old, to: new),

        // RFC 6902
        .jsonPatch([.test("/version", 3), .replace("/title", "Dunes"), .remove("/tags/0")]),
    ]
    // snippet.end
    return bodies
}

// snippet.decoding
func decoding(_ client: Client) -> Client {
    client.configured {
        $0.decodingOptions = DecodingOptions(keys: .convertFromSnakeCase, dates: .secondsSince1970)
    }
}
// snippet.end

// snippet.envelope
func notes(_ client: Client) {
    client.enqueue(.get("notes"), as: [Note].self, at: "data.items").then { print($0.count) }
    client.enqueue(AllNotes()).then { print($0) }
}

struct AllNotes: RespondingEndpoint {
    typealias Response = Many<Note>
    let path = "notes"
    static var serializer: ResponseSerializer<Response> { .stored(at: "data.items") }
}
// snippet.end
