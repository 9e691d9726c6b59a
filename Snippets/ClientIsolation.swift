// What is marked in a module that is isolated to the main actor.

import Larder

@Entity struct Book {
    @Identity var id: Int
    var title: String
}

// snippet.nonisolated
nonisolated struct Total: Decodable {
    var count: Int
}

struct Listing: Wrapper {
    @Stored var books: Many<Book>
    var total: Total
}

nonisolated protocol SlowEndpoint: Endpoint {}

nonisolated extension SlowEndpoint {
    var timeout: Duration? { .seconds(120) }
}

extension Transformer {
    nonisolated static let shout = Transformer(
        "shout", from: { (text: String) in text.uppercased() })
}
// snippet.end
