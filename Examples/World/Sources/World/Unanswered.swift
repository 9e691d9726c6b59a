import Foundation
import Larder

/// What arrives when no response does.
struct Unanswered {
    let client: Client

    /// Cancels a request while the server is busy with it.
    func cancelled(on server: WorldServer) async throws -> String {
        let slow: Promise<Data> = client.enqueue(WorldAPI.slow)
        let outcome = slow.then { _ in "an answer" }
            .recover(.allErrors) { error in "\(type(of: error))" }
        for await _ in server.slowRequests { break }
        slow.cancel()
        return try await outcome.value
    }

    /// Asks a server that is no longer there.
    func refused() async -> String {
        let countries: Promise<Many<Country>> = client.enqueue(WorldAPI.countries)
        do {
            return "\(try await countries.value)"
        } catch {
            return "\(error)"
        }
    }
}
