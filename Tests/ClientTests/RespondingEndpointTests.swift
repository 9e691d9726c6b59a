import Foundation
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Endpoints that fix what their response becomes, for each type that a response can become.
@Suite struct RespondingEndpointTests {
    /// A type of response: an endpoint that fixes it, and the call that names it.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Checks that each way to ask gives the same value and stores the same rows.
        let check: @Sendable () async throws -> Void

        init<Target: RespondingEndpoint>(
            _ endpoint: Target, _ json: String, stores count: Int,
            fixed: @escaping @Sendable (Client, Target) -> Promise<Target.Response>,
            named: @escaping @Sendable (Client, Target) -> Promise<Target.Response>,
            _ text: @escaping @Sendable (Target.Response) throws -> String
        ) {
            testDescription = "\(Target.Response.self)"
            check = {
                func outcome(
                    _ enqueue: (Client, Target) -> Promise<Target.Response>
                ) async throws -> (value: String, users: [Person]) {
                    let store = try Store.inMemory(entities: Person.self)
                    let configuration = Client.Configuration(transport: StubTransport(.json(json)))
                    let client = Client(
                        baseURL: "http://test.invalid/", store: store, configuration: configuration)
                    let value = try text(try await enqueue(client, endpoint).value)
                    return (value, try store.fetch(Person.all))
                }
                let expected = try await outcome(named)
                #expect(expected.users.count == count)
                let ways = [
                    fixed, { RespondingEndpointTests.enqueue($1, by: $0) },
                    { RespondingEndpointTests.enqueue(Forwarded(inner: $1), by: $0) },
                ]
                for way in ways {
                    let outcome = try await outcome(way)
                    #expect(outcome.value == expected.value)
                    #expect(outcome.users == expected.users)
                }
            }
        }
    }

    /// What an app's own layer looks like, which knows no more than that an endpoint says it.
    private static func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target, by client: Client
    ) -> Promise<Target.Response> {
        client.enqueue(endpoint)
    }

    private static let ann = #"{"id": 1, "login": "ann"}"#
    private static let logIn = #"{"token": "t", "user": \#(ann)}"#

    private static let kinds: [Kind] = [
        Kind(
            OnePerson(), ann, stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: Person.self) }
        ) { $0.login },
        Kind(
            Reference(), ann, stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: One<Person>.self) }
        ) { try $0.fetch().login },
        Kind(
            People(), "[\(ann)]", stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: [Person].self) }
        ) { "\($0)" },
        Kind(
            ManyPeople(), "[\(ann)]", stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: Many<Person>.self) }
        ) { "\(try $0.fetch())" },
        Kind(
            PerhapsPeople(), "[\(ann)]", stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: [Person]?.self) }
        ) { "\(String(describing: $0))" },
        Kind(
            Login(), logIn, stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: Entry.self) }
        ) { $0.token + $0.user.login },
        Kind(
            PerhapsLogin(), logIn, stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: Entry?.self) }
        ) { $0?.token ?? "" },
        Kind(
            Logins(), "[\(logIn)]", stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: [Entry].self) }
        ) { $0.map(\.token).joined() },
        Kind(
            Decoded(), logIn, stores: 0,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: Plain.self) }
        ) { $0.token + $0.user.login },
        Kind(
            Table(), #"{"a": \#(ann)}"#, stores: 0,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: [String: Person].self) }
        ) { "\($0)" },
        Kind(
            Bytes(), ann, stores: 0,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: Data.self) }
        ) { "\(Array($0))" },
        Kind(
            Text(), ann, stores: 0,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: String.self) }
        ) { $0 },
        Kind(
            Document(), ann, stores: 0,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: JSONDocument.self) }
        ) { "\($0.root.count ?? 0)" },
        Kind(
            Ping(), ann, stores: 0,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: Void.self) }
        ) { "done" },
    ]

    private static let wholeKinds: [Kind] = [
        Kind(
            WholePeople(), "[\(ann)]", stores: 1,
            fixed: { $0.enqueue($1) },
            named: { $0.enqueue($1, as: LarderClient.Response<Many<Person>>.self) }
        ) { "\(try $0.value.fetch()) \($0.status) \($0.headerFields) \($0.report)" },
        Kind(
            WholeLogin(), logIn, stores: 1,
            fixed: { $0.enqueue($1) },
            named: { $0.enqueue($1, as: LarderClient.Response<Entry>.self) }
        ) { "\($0.value.token) \($0.status)" },
        Kind(
            WholeDecoded(), logIn, stores: 0,
            fixed: { $0.enqueue($1) },
            named: { $0.enqueue($1, as: LarderClient.Response<Plain>.self) }
        ) { "\($0.value.token) \($0.status) \($0.url?.absoluteString ?? "")" },
        Kind(
            WholeDocument(), ann, stores: 0,
            fixed: { $0.enqueue($1) },
            named: { $0.enqueue($1, as: LarderClient.Response<JSONDocument>.self) }
        ) { "\($0.value.root.count ?? 0) \($0.status)" },
        Kind(
            WholePing(), ann, stores: 0,
            fixed: { $0.enqueue($1) },
            named: { $0.enqueue($1, as: LarderClient.Response<Void>.self) }
        ) { "\($0.status)" },
    ]

    /// Endpoints whose own code knows only that their response is `Decodable`.
    private static let vagueKinds: [Kind] = [
        Kind(
            Vague<Entry>(), logIn, stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: Entry.self) }
        ) { $0.token + $0.user.login },
        Kind(
            Vague<[Person]?>(), "[\(ann)]", stores: 1,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: [Person]?.self) }
        ) { "\(String(describing: $0))" },
        Kind(
            Vague<Plain>(), logIn, stores: 0,
            fixed: { $0.enqueue($1) }, named: { $0.enqueue($1, as: Plain.self) }
        ) { $0.token },
    ]

    @Test(arguments: kinds + wholeKinds + vagueKinds)
    func `gives and stores what the call would that names the type`(_ kind: Kind) async throws {
        try await kind.check()
    }

    @Test func `generic callers store what they know only as decodable`() async throws {
        func load<Value: Decodable & Sendable>(
            _ type: Value.Type, by client: Client
        ) -> Promise<Value> {
            client.enqueue(Resource("login"), as: type)
        }
        let client = try TestClient.client(answering: Self.logIn)
        #expect(try await load(LogIn.self, by: client).value.token == "t")
        #expect(try client.store.count(User.all) == 1)
        #expect(try await load(Plain.self, by: client).value.token == "t")
    }
}

/// An entity that could be decoded, too, which is stored all the same.
@Entity private struct Person: Codable, Equatable {
    @Identity var id: Int
    var login: String
}

private struct Entry: Wrapper {
    var token: String
    @Stored var user: Person
}

/// An endpoint of which nothing matters but what its response becomes.
private protocol TypedEndpoint: RespondingEndpoint {}

extension TypedEndpoint {
    var path: String { "path" }
}

private struct OnePerson: TypedEndpoint { typealias Response = Person }
private struct Reference: TypedEndpoint { typealias Response = One<Person> }
private struct People: TypedEndpoint { typealias Response = [Person] }
private struct ManyPeople: TypedEndpoint { typealias Response = Many<Person> }
private struct PerhapsPeople: TypedEndpoint { typealias Response = [Person]? }
private struct Login: TypedEndpoint { typealias Response = Entry }
private struct PerhapsLogin: TypedEndpoint { typealias Response = Entry? }
private struct Logins: TypedEndpoint { typealias Response = [Entry] }
private struct Decoded: TypedEndpoint { typealias Response = Plain }
private struct Table: TypedEndpoint { typealias Response = [String: Person] }
private struct Bytes: TypedEndpoint { typealias Response = Data }
private struct Text: TypedEndpoint { typealias Response = String }
private struct Document: TypedEndpoint { typealias Response = JSONDocument }
private struct Ping: TypedEndpoint { typealias Response = Void }
private struct WholePeople: TypedEndpoint {
    typealias Response = LarderClient.Response<Many<Person>>
}
private struct WholeLogin: TypedEndpoint { typealias Response = LarderClient.Response<Entry> }
private struct WholeDecoded: TypedEndpoint { typealias Response = LarderClient.Response<Plain> }
private struct WholeDocument: TypedEndpoint {
    typealias Response = LarderClient.Response<JSONDocument>
}
private struct WholePing: TypedEndpoint { typealias Response = LarderClient.Response<Void> }
private struct Vague<Value: Decodable & Sendable>: TypedEndpoint { typealias Response = Value }

/// An endpoint that stands for another one.
private struct Forwarded<Inner: RespondingEndpoint>: RespondingEndpoint {
    typealias Response = Inner.Response

    static var serializer: ResponseSerializer<Response> { Inner.serializer }

    let inner: Inner
    var path: Inner.PathType { inner.path }
}
