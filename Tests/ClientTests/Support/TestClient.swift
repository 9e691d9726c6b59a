import Foundation
import LarderClient
import LarderObjectStore
import LarderTesting

/// Clients over a store in memory that knows the test model.
enum TestClient {
    static func store() throws -> Store {
        try Store.inMemory(entities: User.self, Article.self, Tag.self)
    }

    static func client(
        over transport: any Transport, at baseURL: String = "http://test.invalid/",
        _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> Client {
        var configuration = Client.Configuration(
            transport: transport, timeout: .seconds(600))
        configure(&configuration)
        return Client(baseURL: baseURL, store: try store(), configuration: configuration)
    }

    /// A client whose every request is answered with the same content.
    static func client(answering text: String) throws -> Client {
        try client(over: StubTransport(.json(text)))
    }

    /// A client over the platform's transport.
    static func client(
        at baseURL: URL, _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> Client {
        var configuration = Client.Configuration(timeout: .seconds(600))
        configure(&configuration)
        return Client(baseURL: baseURL, store: try store(), configuration: configuration)
    }
}
