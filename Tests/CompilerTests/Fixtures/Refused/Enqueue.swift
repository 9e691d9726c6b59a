import Larder

struct Plain: Sendable {}

// error: type 'Misfit' does not conform to protocol 'RespondingEndpoint'
// error: a response becomes an entity, a 'Many', an array or an optional of these
struct Misfit: RespondingEndpoint {
    typealias Response = Plain
    var path: String { "misfit" }
}

// error: type 'WholeMisfit' does not conform to protocol 'RespondingEndpoint'
// error: a response becomes an entity, a 'Many', an array or an optional of these
struct WholeMisfit: RespondingEndpoint {
    typealias Response = Larder.Response<Plain>
    var path: String { "misfit" }
}

// error: type 'Vague<Value>' does not conform to protocol 'RespondingEndpoint'
// error: a response becomes an entity, a 'Many', an array or an optional of these
struct Vague<Value: Sendable>: RespondingEndpoint {
    typealias Response = Value
    var path: String { "vague" }
}

// error: type 'Unsaid' does not conform to protocol 'RespondingEndpoint'
struct Unsaid: RespondingEndpoint {
    var path: String { "unsaid" }
}

func aForgottenValue(_ client: Client) async throws {
    // error: this is a promise: write 'try await client.enqueue(…).value'
    let authors: [Author] = try await client.enqueue(Get(path: "a"))
    // error: this is a promise: write 'try await client.enqueue(…).value'
    let author: Author? = try await client.enqueue(Get(path: "a"))
    // error: this is a promise: write 'try await client.enqueue(…).value'
    let token: Token = try await client.enqueue(Get(path: "a"))
    // error: this is a promise: write 'try await client.enqueue(…).value'
    let logIn: LogIn = try await client.enqueue(Get(path: "a"))
    // error: this is a promise: write 'try await client.enqueue(…).value'
    let data: [Author] = try await client.enqueue(Get(path: "a"), at: "data")
    // error: this is a promise: write 'try await client.enqueue(…).value'
    let books: Many<Book> = try await client.enqueue(AllBooks())
    // error: cannot convert value of type 'Promise<Void>' to specified type 'Response<Author>'
    let response: Response<Author> = try await client.enqueue(Get(path: "a"))
    print(authors, author as Any, token, logIn, data, books, response)
}

func aTypeThatNoResponseBecomes(_ client: Client) async throws {
    // error: a response becomes an entity, a 'Many', an array or an optional of these
    let plain: Plain = try await client.enqueue(Get(path: "a")).value
    // error: a response becomes an entity, a 'Many', an array or an optional of these
    client.enqueue(Get(path: "a"), as: Plain.self, at: "data").then { print($0) }
    // error: a response becomes an entity, a 'Many', an array or an optional of these
    let promise: Promise<Plain> = client.enqueue(Get(path: "a"))
    // error: a response becomes an entity, a 'Many', an array or an optional of these
    let response: Response<Plain> = try await client.enqueue(Get(path: "a")).value
    // error: a response becomes an entity, a 'Many', an array or an optional of these
    client.enqueue(Get(path: "a")).then { (plain: Plain) in print(plain) }
    // error: a response becomes an entity, a 'Many', an array or an optional of these
    client.enqueue(Get(path: "a"), as: Plain.self).then { print($0) }
    print(plain, promise, response)
}

func aHandlerThatDoesNotFitTheEndpointsResponse(_ client: Client) async throws {
    // error: what follows does not fit the endpoint's Response
    client.enqueue(AllBooks()).then { print($0.name) }
    // error: what follows does not fit the endpoint's Response
    client.enqueue(AllBooks()).then { books in print(books.titles) }
    // error: what follows does not fit the endpoint's Response
    let name = try await client.enqueue(AllBooks()).value.name
    // error: value of type 'Many<Book>' has no member 'name'
    client.enqueue(AllBooks()).then { (books: Many<Book>) in print(books.name) }
    print(name)
}

func aForgottenType(_ client: Client) async throws {
    // error: nothing says what the response becomes: write 'enqueue(…, as: [User].self)'
    client.enqueue(Get(path: "a")).then { print($0.name) }
    // error: nothing says what the response becomes: write 'enqueue(…, as: [User].self)'
    client.enqueue(Get(path: "a")).then { author in print(author.name) }
    // error: nothing says what the response becomes: write 'enqueue(…, as: [User].self)'
    client.enqueue(Get(path: "a")).then { authors in print(authors.count) }
    // error: nothing says what the response becomes: write 'enqueue(…, as: [User].self)'
    client.enqueue(Get(path: "a")).then { print($0.first?.name ?? "") }
    // error: nothing says what the response becomes: write 'enqueue(…, as: [User].self)'
    let name = try await client.enqueue(Get(path: "a")).value.name
    // error: nothing says what the response becomes: write 'enqueue(…, as: [User].self)'
    for author in try await client.enqueue(Get(path: "a")).value { print(author) }
    // error: value of type 'Promise<Void>' has no member 'count'
    print(client.enqueue(Get(path: "a")).count)
    print(name)
}
