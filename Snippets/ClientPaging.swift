// Lists that come page by page.

import Foundation
import Larder

@Entity struct Note {
    @Identity var id: Int
    var title: String
    var isOpen = true
}

// snippet.link
func pull(_ client: Client, _ page: AdHocEndpoint = .get("notes")) -> Promise<Void> {
    client.enqueue(page, as: Response<Many<Note>>.self).then { page -> Promise<Void> in
        guard let next = page.link(rel: "next") else { return .fulfilled() }
        return pull(client, .get(URLPath(next)))
    }
}
// snippet.end

// snippet.loop
func pullAll(_ client: Client) async throws {
    var page: AdHocEndpoint? = .get("notes", query: ["per_page": 100])
    while let endpoint = page {
        let response = try await client.enqueue(endpoint, as: Response<Many<Note>>.self).value
        print(response.report["Note"].inserted, "are new")
        page = response.link(rel: "next").map { .get(URLPath($0)) }
    }
}
// snippet.end

// snippet.fields
// {"next": "/notes?page=3", "results": […]}
struct Page: Wrapper {
    var next: String?
    @Stored var results: Many<Note>
}

func pullPages(_ client: Client, from path: String = "notes") -> Promise<Void> {
    client.enqueue(.get(URLPath(path)), as: Page.self).then { page -> Promise<Void> in
        guard let next = page.next else { return .fulfilled() }
        return pullPages(client, from: next)
    }
}
// snippet.end

// snippet.cursor
// {"next_cursor": "b1c…", "items": […]}
struct Feed: Wrapper {
    static let decodingOptions = DecodingOptions(keys: .convertFromSnakeCase)

    var nextCursor: String?
    @Stored var items: Many<Note>
}

func pullFeed(_ client: Client, after cursor: String? = nil) -> Promise<String?> {
    client.enqueue(.get("feed", query: ["after": cursor, "limit": 50]), as: Feed.self)
        .then { feed -> Promise<String?> in
            guard let next = feed.nextCursor, try feed.items.count > 0 else {
                return .fulfilled(feed.nextCursor ?? cursor)
            }
            return pullFeed(client, after: next)
        }
}
// snippet.end

// snippet.token
@Entity struct SyncToken {
    @Identity var feed: String
    var cursor: String
}

func pullChanges(_ client: Client) async throws {
    let token = try client.store.find(SyncToken.self, id: "notes")
    let changes = AdHocEndpoint.get("changes", query: ["after": token?.cursor])
    _ = try await client.enqueue(changes, as: Feed.self) { context, page in
        guard let cursor = page.nextCursor else { return }
        try context.save(SyncToken(feed: "notes", cursor: cursor))
    }.value
}
// snippet.end

// snippet.version
/// A value that is decoded, and a header field with it.
func keepVersion(_ client: Client) -> Promise<Response<[String: Int]>> {
    let counts: ResponseSerializer<Response<[String: Int]>> =
        ResponseSerializer.decoded().withResponse()
    return client.enqueue(
        .get("counts"),
        serializer: counts.storing { context, response in
            let version = response.headerFields[.eTag] ?? ""
            try context.save(SyncToken(feed: "counts", cursor: version))
        })
}
// snippet.end

// snippet.numbers
func pullNumbered(_ client: Client, upTo last: Int) -> Promise<Void> {
    Promise.map(1...last, limit: 4) { page in
        client.enqueue(.get("notes", query: ["page": page]), as: Many<Note>.self)
    }
    .asVoid()
}
// snippet.end

// snippet.vanished
/// Takes all pages, then deletes what none of them had.
func refresh(_ client: Client) async throws {
    var ids: Set<Int> = []
    var page: AdHocEndpoint? = .get("notes")
    while let endpoint = page {
        let response = try await client.enqueue(endpoint, as: Response<[Note]>.self).value
        ids.formUnion(response.value.map(\.id))
        page = response.link(rel: "next").map { .get(URLPath($0)) }
    }
    let present = ids
    try await client.store.write { _ = try $0.delete(Note.where { !$0.id.isIn(present) }) }
}
// snippet.end

// snippet.lossy
func pullWhatFits(_ client: Client) {
    client.enqueue(.get("notes"), as: LossyList<Note>.self).then { notes in
        for skipped in notes.skipped { print(skipped.path, skipped.reason) }
    }
}
// snippet.end
