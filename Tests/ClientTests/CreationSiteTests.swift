#if DEBUG
import LarderClient
import LarderObjectStore
import LarderTesting
import Testing

@testable import LarderPromises

/// Where a promise says that it was made: in the file of whoever called, not of the client.
@Suite struct CreationSiteTests {
    private func expectHere<Value>(_ promise: Promise<Value>, line: UInt = #line) {
        let site = promise.node.site.description
        #expect(site == "ClientTests/CreationSiteTests.swift:\(line)")
    }

    @Test func `every way of enqueuing names the line of the call`() throws {
        let client = try TestClient.client(answering: "{}")
        let user = Resource("user")
        expectHere(client.enqueue(user, as: User.self))
        expectHere(client.enqueue(user, as: Plain.self))
        expectHere(client.enqueue(user, as: JSONDocument.self))
        expectHere(client.enqueue(user, as: Void.self))
        expectHere(client.enqueue(user, as: Response<User>.self))
        expectHere(client.enqueue(user, as: Response<Plain>.self))
        expectHere(client.enqueue(user, as: Response<JSONDocument>.self))
        expectHere(client.enqueue(user, as: Response<Void>.self))
        expectHere(client.cancellableEnqueue(user, as: User.self).promise)
    }
}
#endif
