import Foundation
import Larder

/// What arrives when no response does.
struct Unanswered {
    let client: Client

    /// Cancels a request while the server is busy with it.
    func cancel(on server: WorldServer) async {
        let slow: Promise<Data> = client.enqueue(WorldAPI.slow)
        // Cancelling is no failure: catch passes it over unless it is asked for all errors.
        let chain = slow.then { _ in print("The cancelled request was answered.") }
            .catch(policy: .allErrors) { error in
                print("The cancelled request ends in \(type(of: error)).")
            }
        for await _ in server.slowRequests { break }
        slow.cancel()
        _ = await chain.result
    }

    /// Asks a server that is no longer there.
    func ask() async {
        let chain = client.fetching(.networkOnly).enqueue(WorldAPI.countries)
            .then { (_: Many<Country>) in print("The server is still there.") }
            .catch { error in print("The server is gone: \(error)") }
        _ = await chain.result
    }

    /// Asks once more, for the store's answer where there is no other.
    func askStore() async throws {
        let countries: Response<Many<Country>> = try await client.enqueue(WorldAPI.countries).value
        print("The \(countries.source) has \(try countries.value.count) countries all the same.")
    }
}
