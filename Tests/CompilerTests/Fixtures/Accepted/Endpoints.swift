import Foundation
import Larder

nonisolated struct BookFilter: Encodable, Sendable {
    var minPages: Int?
    var shapes: [String] = []
}

nonisolated struct BookQuery: Endpoint {
    var text: String
    var page: Int?
    var path: URLPath { "books" }
    var query: QueryParameters { ["q": text, "page": page, "sold": false] }
}

struct BookNotes: Endpoint {
    let isbn: String
    var path: URLPath { "books/\(isbn)/notes" }
    let method = HTTPRequest.Method.post
}

struct NextPage: Endpoint {
    let path: URL
}

enum Library: Endpoint {
    case author(Int)
    case shelf(Shape, row: Int)
    case file([String])

    var path: URLPath {
        switch self {
        case .author(let id): "authors/\(id)"
        case .shelf(let shape, let row): "shelves/\(shape)/\(row)"
        case .file(let steps): "files/\(segments: steps)?raw=\(true)"
        }
    }
}

/// An endpoint that stands for another one.
struct Tagged<Target: Endpoint>: Endpoint {
    var target: Target
    var path: Target.PathType { target.path }
}

func pathsAreMadeOfParts(_ id: UUID, _ isbn: String, _ url: URL, _ raw: String) -> [URLPath] {
    [
        "books", "books/\(isbn)", "books/\(isbn)/pages/\(3)", "x/\(id)", "x?since=\(isbn)&n=\(2)",
        "\(raw: raw)", URLPath(raw), URLPath(url), "https://cdn.example.com/\(isbn)",
    ]
}

func endpointsNeedNoType(
    _ client: Client, _ isbn: String, _ page: Int?, _ text: String, _ url: URL, _ token: Token,
    _ filter: BookFilter, _ file: URL
) async throws {
    client.enqueue(.get("books"))
    client.enqueue(.get("books"), as: [Book].self).then { print($0.count) }
    client.enqueue(.get("books", query: ["page": 2, "q": text, "open": true]), as: [Book].self)
        .then { books in print(books.count) }
        .catch { print($0) }
    client.enqueue(.get("books/\(isbn)", query: ["page": page, "ids": [1, 2], "since": Date()]))
        .then { (book: Book) in print(book.title) }
    client.enqueue(.get("books", query: QueryParameters(filter, arrays: .commas)))
        .then { (books: Many<Book>) in print(books) }
    client.enqueue(.get(URLPath(url)), as: Many<Book>.self).then { print($0) }
    client.enqueue(.get("books", acceptedStatuses: [200, 404]), as: Book?.self)
        .then { print($0?.title ?? "") }
    client.enqueue(
        .post(
            "books/\(isbn)/notes", headerFields: [.accept: "text/plain"],
            body: .json(["text": text, "n": 3]), timeout: .seconds(3)), as: LogIn.self
    ).then { print($0.token) }
    client.enqueue(.put("books/\(isbn)", body: .json(token)))
    client.enqueue(.patch("books/\(isbn)", body: .mergePatch(["title": text, "author": nil])))
    client.enqueue(.patch("x", body: .jsonPatch([.replace("/title", text), .remove("/n/\(3)")])))
    client.enqueue(.delete("books/\(isbn)")).then { print("gone") }
    client.enqueue(.head("books"), as: Response<Void>.self).then { print($0.status) }
    client.enqueue(
        .request(
            HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/x"), body: .text("a")),
        as: Data.self
    )
    .then { print($0.count) }
    CancellablePromise(client.enqueue(.get("books"))).cancel()
    let books: [Book] = try await client.enqueue(.get("books", query: ["page": 2])).value
    let promise: Promise<Many<Book>> = client.enqueue(.get("books/\(isbn)/editions"))
    async let other: Token = client.enqueue(.post("log-in", body: .form(["name": text]))).value
    print(books, promise, try await other)
}

func bodiesOfManyKinds(
    _ book: Book, _ store: Store, _ text: String, _ data: Data, _ file: URL, _ filter: BookFilter
) -> [RequestBody] {
    [
        .text(text), .file(file), .file(file, contentType: "image/png"), .json(filter).compressed(),
        .form(["a": "b", "c": "d"]), .form(["a": 1, "b": text, "c": nil]), .form(filter),
        .form(QueryParameters(filter, names: .verbatim)),
        .multipart([.field("a", text), .data("b", data), .file("c", file)]),
        .multipart(fields: ["a": 1, "b": text], [.file("c", file)]),
        .multipart([.body("meta", .json(["a": 1, "b": "x"]))]),
        .mergePatch(["title": text, "n": nil]), .mergePatch(["a": 1]), .mergePatch(filter),
        .mergePatch(from: filter, to: filter),
        .jsonPatch([.add("/a/-", 1), .test("/b", nil), .move(from: "/a", to: "/b")]),
        .json(of: book, in: store), .json(of: book, in: store, relationships: .nested),
        .json(of: Book.where { $0.isSold == true }, in: store),
    ]
}

nonisolated private protocol Paged: Endpoint {}

nonisolated extension Paged {
    var query: QueryParameters { ["page": 2] }
}

nonisolated private protocol Localised: Endpoint {}

nonisolated extension Localised {
    var query: [URLQueryItem] { [URLQueryItem(name: "lang", value: "de")] }
}

/// What two protocols give in two types, of which it says which is meant.
nonisolated private struct Translations: Paged, Localised {
    typealias DeclaredQuery = QueryParameters

    let path: URLPath = "translations"
}
