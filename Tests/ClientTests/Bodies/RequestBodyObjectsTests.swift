import Foundation
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct RequestBodyObjectsTests {
    private let store: Store

    init() throws {
        store = try TestClient.store()
        try store.import(
            [Article].self,
            from: #"""
                [{"id": 1, "title": "a", "author": {"id": 7, "login": "ann"}, "tags": ["x", "y"]},
                 {"id": 2, "title": "b", "author": 7, "tags": []}]
                """#)
    }

    private static func json(_ body: RequestBody) throws -> NSDictionary {
        let data = try body.encoded().data
        #expect(try body.encoded().contentType == "application/json")
        return try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    @Test func `an object is sent with the identities of what it is linked to`() throws {
        let article = try #require(try store.first(Article.where { $0.id == 1 }))
        #expect(
            try Self.json(.json(of: article, in: store))
                == ["id": 1, "title": "a", "author": 7, "tags": ["x", "y"]])
        #expect(
            try Self.json(.json(of: article, in: store, relationships: .omitted))
                == ["id": 1, "title": "a"])
        #expect(
            try Self.json(.json(of: article, in: store, relationships: .nested))
                == [
                    "id": 1, "title": "a", "author": ["id": 7, "login": "ann"],
                    "tags": [["name": "x"], ["name": "y"]],
                ])
    }

    @Test func `what is sent is what the store holds when the request is built`() throws {
        let article = try #require(try store.first(Article.where { $0.id == 2 }))
        let body = RequestBody.json(of: article, in: store, relationships: .omitted)
        try store.update(Article.where { $0.id == 2 }) { $0.title.set("new") }
        #expect(try Self.json(body) == ["id": 2, "title": "new"])
        try store.delete(article)
        let error = #expect(throws: StoreError.self) { try body.encoded() }
        #expect(error?.reason == .missingObject)
    }

    @Test func `so are those that a query finds, and those that were read`() throws {
        func text(_ body: RequestBody) throws -> String {
            String(decoding: try body.encoded().data, as: UTF8.self)
        }
        let query = Article.all.sorted { $0.id.ascending }
        #expect(
            try text(.json(of: query, in: store, relationships: .omitted))
                == #"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#)
        let article = try #require(try store.first(Article.where { $0.id == 1 }))
        #expect(try text(.json(of: article.tags)) == #"[{"name":"x"},{"name":"y"}]"#)
        #expect(try text(.json(of: article.author)) == #"{"id":7,"login":"ann"}"#)
    }

    @Test func `an object that has gone is an invalid request`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = Client(
            baseURL: "https://h/", store: store,
            configuration: Client.Configuration(transport: transport))
        let article = try #require(try store.first(Article.where { $0.id == 1 }))
        try await client.enqueue(.put("articles/\(1)", body: .json(of: article, in: store))).value
        #expect(transport.requests.first?.body?.isEmpty == false)
        try store.delete(article)
        let promise = client.enqueue(
            .put("articles/\(1)", body: .json(of: article, in: store)), as: Void.self)
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect((error?.underlying as? StoreError)?.reason == .missingObject)
        #expect(transport.requests.count == 1)
    }

    @Test func `what is enqueued in a transaction sends what was committed before it`() async throws
    {
        let transport = StubTransport(.json("[]"))
        let client = Client(
            baseURL: "https://h/", store: store,
            configuration: Client.Configuration(transport: transport))
        let article = try #require(try store.first(Article.where { $0.id == 2 }))
        let promise = try await store.write { context in
            try context.update(Article.where { $0.id == 2 }) { $0.title.set("new") }
            return client.enqueue(
                .put("x", body: .json(of: article, in: store, relationships: .omitted)),
                as: Void.self)
        }
        try await promise.value
        let body = try #require(transport.requests.first?.body)
        let text = String(decoding: body, as: UTF8.self)
        #expect(text == #"{"id":2,"title":"b"}"# || text == #"{"id":2,"title":"new"}"#)
    }
}
