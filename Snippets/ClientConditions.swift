// A change that is made to what was read, and to nothing newer.

import Foundation
import Larder

@Entity struct Note {
    @Identity var id: Int
    var text: String
}

let store = try Store.inMemory(entities: Note.self)
let client = Client(baseURL: "https://api.example.com/", store: store)

// snippet.write
func change(_ id: Int, to text: String) -> Promise<Response<Note>> {
    client.enqueue(.get("notes/\(id)"), as: Response<Note>.self).then { note in
        client.enqueue(
            .put("notes/\(id)", body: .json(["text": text]), ifMatch: .version(of: note)),
            as: Response<Note>.self)
    }
}
// snippet.end

// snippet.reason
func save(_ id: Int, _ text: String) {
    change(id, to: text)
        .then { note in print("saved", note.value.text) }
        .catch { error in
            if (error as? ClientError)?.reason == .preconditionFailed {
                print("somebody else has changed it meanwhile")
            }
        }
}
// snippet.end

struct DeleteNote: Endpoint {
    let id: Int

    var path: URLPath { "notes/\(id)" }
    var method: HTTPRequest.Method { .delete }
}

// snippet.call
func delete(_ note: Response<Note>) {
    client.ifMatch(.version(of: note)).enqueue(DeleteNote(id: note.value.id))
}

func create(_ id: Int, _ text: String) {
    client.enqueue(.put("notes/\(id)", body: .json(["text": text]), ifMatch: .isNew))
}
// snippet.end
