import Foundation
import Larder

struct WholeBooks: RespondingEndpoint {
    typealias Response = Larder.Response<Many<Book>>
    var path: String { "books" }
}

struct WholeLogIn: RespondingEndpoint {
    typealias Response = Larder.Response<LogIn?>
    var path: String { "login" }
}

struct NestedCount: RespondingEndpoint {
    struct Response: Decodable { var total: Int }
    var path: String { "count" }
}

struct Ping: RespondingEndpoint {
    typealias Response = Void
    var path: String { "ping" }
}

/// An endpoint for each entity.
struct All<Object: Entity>: RespondingEndpoint {
    typealias Response = [Object]
    var path: String { Object.entityName }
}

/// An endpoint that stands for another one.
struct Forwarded<Target: RespondingEndpoint>: RespondingEndpoint {
    typealias Response = Target.Response
    static var serializer: ResponseSerializer<Response> { Target.serializer }
    var path: String
}

func theClosureSaysWhatAResponseBecomes(_ client: Client) {
    client.enqueue(Get(path: "a")).then { (authors: Many<Author>) in print(authors) }
        .catch { print($0) }
    client.enqueue(Get(path: "a")).then { (author: Author) in
        print(author.id)
        print(author.name)
    }
    .catch { error in print(error) }
    client.enqueue(Get(path: "a")).then { (response: Response<Author>) in print(response.status) }
    client.enqueue(Get(path: "a")).then { (counts: [String: Int]) in print(counts) }
    client.enqueue(Get(path: "a")).then { (author: Author) -> Promise<Many<Book>> in
        client.enqueue(Get(path: author.name))
    }
    .then { print($0) }
}

func aParameterSaysWhatAResponseBecomes(_ client: Client) {
    client.enqueue(Get(path: "a"), as: [Author].self).then { print($0.count) }
    client.enqueue(Get(path: "a"), as: Token.self).then { print($0.text) }
    client.enqueue(Get(path: "a"), as: LogIn.self).then { print($0.token) }
    client.enqueue(Get(path: "a"), as: Data.self).then { print($0.count) }
    client.enqueue(Get(path: "a"), as: JSONDocument.self).then { print($0.root) }
    client.enqueue(Get(path: "a"), as: Response<Author>.self).then { print($0.status) }
    client.enqueue(Get(path: "a"), as: Void.self).then { print("done") }
    client.enqueue(Get(path: "a"))
        .then { (author: Author) in client.enqueue(Get(path: author.name), as: Many<Book>.self) }
        .then { print($0) }
}

func theVariableSaysWhatAResponseBecomes(_ client: Client) async throws {
    let authors: [Author] = try await client.enqueue(Get(path: "a")).value
    let author: Author? = try await client.enqueue(Get(path: "a")).value
    let token: Token = try await client.enqueue(Get(path: "a")).value
    let logIn: LogIn = try await client.enqueue(Get(path: "a")).value
    let document: JSONDocument = try await client.enqueue(Get(path: "a")).value
    let data: Data = try await client.enqueue(Get(path: "a")).value
    let text: String = try await client.enqueue(Get(path: "a")).value
    let promise: Promise<Many<Book>> = client.enqueue(Get(path: "a"))
    let whole: Promise<Response<Many<Book>>> = client.enqueue(Get(path: "a"))
    let head: Response<Void> = try await client.enqueue(Get(path: "a")).value
    let tree: Response<JSONDocument> = try await client.enqueue(Get(path: "a")).value
    async let other: [Book] = client.enqueue(Get(path: "a")).value
    let cancellable: CancellablePromise<[Book]> = client.cancellableEnqueue(Get(path: "a"))
    client.cancellableEnqueue(Get(path: "a"), as: Many<Book>.self).promise.then { print($0) }
    let decoded: CancellablePromise<[Author]> = CancellablePromise(client.enqueue(Get(path: "a")))
    print(authors, author as Any, token, logIn, document, data, text, promise, whole, head, tree)
    print(try await other, cancellable, decoded)
}

func aResponseIsVoidWhereNothingSaysWhatItBecomes(_ client: Client) async throws {
    client.enqueue(Get(path: "a"))
    client.enqueue(Get(path: "a")).catch { print($0) }
    client.enqueue(Get(path: "a")).then { print("done") }
    client.enqueue(Get(path: "a")).then { () in print("done") }
    try await client.enqueue(Get(path: "a")).value
    let cancellable = CancellablePromise(client.enqueue(Get(path: "a")))
    cancellable.cancel()
}

func anEndpointSaysWhatItsResponseBecomes(_ client: Client) async throws {
    client.enqueue(AllBooks()).then { print($0) }
    client.enqueue(AllBooks()).then { books in print(books) }.catch { print($0) }
    let books = try await client.enqueue(AllBooks()).value
    let data: Data = try await client.enqueue(AllBooks()).value
    let whole = try await client.enqueue(WholeBooks()).value
    client.enqueue(WholeLogIn()).then { print($0.value?.token ?? "", $0.status) }.catch {
        print($0)
    }
    let text = client.enqueue(NestedCount()).then { "\($0.total)" }
    client.enqueue(Ping()).then { print("done") }
    try await client.enqueue(Ping()).value
    CancellablePromise(client.enqueue(AllBooks())).promise.then { print($0) }
    print(books, data, whole.value, text)
}

func genericCallersKnowAnEndpointByWhatItSays<Target: RespondingEndpoint>(
    _ client: Client, _ endpoint: Target
) async throws -> Target.Response {
    client.enqueue(endpoint).then { print($0) }.catch { print($0) }
    let promise: Promise<Target.Response> = client.enqueue(endpoint)
    _ = try await promise.value
    return try await client.enqueue(endpoint).value
}

func genericCallersSayWhatAResponseBecomes<Value: Importable, Plain: Decodable & Sendable>(
    _ client: Client, _ endpoint: some Endpoint, _ value: Value.Type, _ plain: Plain.Type
) -> (Promise<Value>, Promise<Plain>) {
    (client.enqueue(endpoint), client.enqueue(endpoint, as: plain))
}

func whatStandsAtAKeyPathIsTaken(_ client: Client) async throws {
    client.enqueue(Get(path: "a"), as: [Author].self, at: "data.items").then { print($0.count) }
    client.enqueue(Get(path: "a"), as: Token.self, at: "data").then { print($0.text) }
    client.enqueue(Get(path: "a"), as: Response<Many<Book>>.self, at: "data")
        .then { print($0.value) }
    client.enqueue(Get(path: "a"), at: "data.items").then { (books: Many<Book>) in print(books) }
    client.enqueue(Get(path: "a"), as: JSONDocument.self, at: "data").then { print($0.root) }
    client.cancellableEnqueue(Get(path: "a"), as: [Book].self, at: "data.items").cancel()
    let promise: Promise<LogIn> = client.enqueue(Get(path: "a"), at: "log")
    let authors: [Author] = try await client.enqueue(.get("a"), at: "data.items").value
    let whole: CancellablePromise<Response<[Author]>> = CancellablePromise(
        client.enqueue(Get(path: "a"), at: "data"))
    print(promise, authors, whole)
}

func moreIsWrittenAlongWithAResponse(_ client: Client) async throws {
    client.enqueue(Get(path: "a"), as: LogIn.self) { context, logIn in
        try context.save(logIn.author)
    }
    .then { print($0.token) }
    client.enqueue(
        Get(path: "a"),
        storing: { (context, authors: [Author]) in
            for author in authors { try context.save(author) }
        }
    )
    .then { authors in print(authors.count) }
    let books: Many<Book> = try await client.enqueue(Get(path: "a"), at: "items") {
        context, books in
        print(try books.count, try context.count(Book.all))
    }.value
    let whole = client.enqueue(Get(path: "a"), as: Response<Many<Book>>.self) {
        print($0.report, $1.headerFields)
    }
    client.enqueue(AllBooks()) { context, books in
        let count = try books.count
        print(count, try context.count(Book.all))
    }
    .then { print($0) }
    client.enqueue(WholeLogIn(), storing: { print($0.report, $1.value?.token ?? "") })
        .then { print($0.status) }
    client.enqueue(Ping()) { context, _ in print(context.report) }.then { print("done") }
    let decoded = client.enqueue(
        Get(path: "a"),
        serializer: ResponseSerializer<Token>.decoded().storing { context, token in
            print(context.report, token.text)
        })
    let token: Promise<Token> = client.enqueue(
        Get(path: "a"), serializer: .decoded().storing { print($0.report, $1.text) })
    print(books, whole, decoded, token)
}

/// An endpoint whose response is wrapped in something.
struct Enveloped: RespondingEndpoint {
    typealias Response = Many<Book>
    static var serializer: ResponseSerializer<Response> { .stored(at: "data.items") }
    var path: URLPath { "books" }
}
