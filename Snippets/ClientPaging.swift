// Lists that come page by page.

import Foundation
import HTTPTypes
import Larder

@Entity struct Note {
    @Identity var id: Int
    var title: String
    var isOpen = true
}

// snippet.pages
struct Notes: Endpoint {
    let path = "notes"
    var query: QueryParameters { ["per_page": 100] }
}

func show(_ client: Client) async throws {
    for try await page in client.pages(Notes(), as: Many<Note>.self) {
        print(try page.value.count, "notes,", page.report["Note"].inserted, "of them new")
    }
}
// snippet.end

// snippet.pull
func pull(_ client: Client) -> Promise<Void> {
    client.pull(Notes(), as: Many<Note>.self) { progress in print(progress.pageCount, "pages") }
        .then { pull in print(pull.report["Note"].inserted, "are new") }
}
// snippet.end

// snippet.cursor
// {"next_cursor": "b1c…", "items": […]}
struct Feed: Wrapper {
    static let decodingOptions = DecodingOptions(keys: .convertFromSnakeCase)

    var nextCursor: String?
    @Stored var items: Many<Note>
}

func pullFeed(_ client: Client) -> Promise<PullReport> {
    client.pull(Notes(), as: Feed.self, by: .cursor(query: "after") { $0.nextCursor })
}
// snippet.end

// snippet.whole
struct AllNotes: Endpoint {
    let path = "notes"
    // Nothing vanishes behind a last page that has a cursor, or says so otherwise.
    var completeness: Completeness { .whole(Note.all).unless("next_cursor", "has_more") }
}
// snippet.end

// snippet.checkpoint
// {"next_cursor": "b1c…", "sync_token": "77", "items": […]}
struct Changes: Wrapper {
    static let decodingOptions = DecodingOptions(keys: .convertFromSnakeCase)

    var nextCursor: String?
    var syncToken: String?
    @Stored var items: Many<Note>
}

func pullChanges(_ client: Client) -> Promise<PullReport> {
    client.pull(
        Notes(), as: Changes.self, by: .cursor(query: "after") { $0.nextCursor },
        from: .named("notes").token(query: "since") { $0.value.syncToken })
}
// snippet.end

// snippet.numbers
func pullNumbered(_ client: Client) async throws {
    // Page after page, up to one with fewer than a hundred.
    _ = try await client.pull(
        Notes(), as: Many<Note>.self, by: .number(query: "page", size: 100)
    ).value

    // Four at a time, once the first has said how many there are.
    let paging = Paging<Many<Note>>.number(query: "page", atOnce: 4) { first in
        HTTPField.Name("X-Total-Pages").flatMap { first.headerFields[$0] }.flatMap { Int($0) }
    }
    _ = try await client.pull(Notes(), as: Many<Note>.self, by: paging).value
}
// snippet.end

// snippet.closure
// {"next": "/notes?page=3", "results": […]}
struct Page: Wrapper {
    var next: String?
    @Stored var results: Many<Note>
}

func pullPages(_ client: Client) -> Promise<PullReport> {
    client.pull(
        Notes(), as: Page.self,
        by: .next { page in
            page.value.next.flatMap { URL(string: $0, relativeTo: page.url) }
                .map { .url($0.absoluteURL) }
        })
}
// snippet.end

// snippet.loop
/// Page by page without a sequence, such as to stop in between and go on later.
func pullByHand(_ client: Client, _ page: AdHocEndpoint = .get("notes")) -> Promise<Void> {
    client.enqueue(page, as: Response<Many<Note>>.self).then { page -> Promise<Void> in
        guard let next = page.link(rel: "next") else { return .fulfilled() }
        return pullByHand(client, .get(URLPath(next)))
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

// snippet.lossy
func pullWhatFits(_ client: Client) {
    client.enqueue(.get("notes"), as: LossyList<Note>.self).then { notes in
        for skipped in notes.skipped { print(skipped.path, skipped.reason) }
    }
}
// snippet.end
