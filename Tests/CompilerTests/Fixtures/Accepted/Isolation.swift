import Larder

// What the guide LarderClient says of a module that is isolated to the main actor.

nonisolated struct Total: Decodable {
    var count: Int
}

struct Listing: Wrapper {
    @Stored var books: Many<Book>
    var total: Total
}

extension Transformer {
    nonisolated static let shout = Transformer(
        "shout", from: { (text: String) in text.uppercased() })
}

nonisolated enum Standard { static let title = "untitled" }

@Entity struct Poem {
    @Identity var id: Int
    @Attribute("title", .shout) var title: String = Standard.title
    var shape: Shape = .paper

    static var rules: [Rule<Poem>] { [Rule("has a title") { !$0.title.isEmpty }] }
}

struct Listings: RespondingEndpoint {
    typealias Response = Larder.Response<Listing>
    var path: String { "listings" }
}

struct Totals: RespondingEndpoint {
    typealias Response = [Total]
    var path: String { "totals" }
}

final class Shelf {
    var listing: Listing?
    var poems: [Poem] = []
    var observation: StoreObservation?

    func watch(_ store: Store) {
        observation = store.observe(Poem.all).start { [weak self] poems in
            self?.poems = poems
        }
        observation = store.observeChanges(of: Poem.all).start { change in
            print(change.insertions)
        }
        observation = store.observe { try $0.count(Poem.all) }.start(on: MainActor.shared) {
            print($0)
        }
        observation = store.observe(Poem.all).start(on: .main) { print($0.count) }
    }

    var titles: [String] = []

    func load(_ client: Client) async throws {
        listing = try await client.enqueue(Listings()).value.value
        client.enqueue(Totals()).then(on: MainActor.shared) {
            self.titles = $0.map { "\($0.count)" }
        }
    }
}
