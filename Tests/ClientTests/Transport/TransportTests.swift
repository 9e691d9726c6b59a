import LarderClient
import LarderObjectStore
import Testing

@Suite struct TransportTests {
    @Test func `clients that are given no transport share one`() throws {
        let store = try TestClient.store()
        let clients = (0..<3).map { _ in Client(baseURL: "http://test.invalid/", store: store) }
        let transports = clients.map { ObjectIdentifier($0.configuration.transport as AnyObject) }
        #expect(Set(transports).count == 1)
    }
}
