import Foundation
import Larder

/// Brings the world into the store: logs in, then asks for the countries, then for the cities.
struct Pull {
    let client: Client

    func run() -> Promise<Void> {
        print(Tally.header)
        return logIn()
            .then { token in
                client.configured { $0.headerFields[.authorization] = "Bearer \(token)" }
            }
            .then { client in
                countries(from: client).then { cities(from: client) }
            }
            .finally { Progress.clear() }
    }

    private func logIn() -> Promise<String> {
        let tally = Tally("Log-in")
        return client.enqueue(WorldAPI.logIn(name: "ada", password: "lovelace"))
            .then { (response: Response<LogIn>) in
                print(tally.adding(response).line)
                return response.value.token
            }
    }

    private func countries(from client: Client) -> Promise<Void> {
        let tally = Tally("Countries")
        return client.enqueue(WorldAPI.countries).then { (response: Response<Many<Country>>) in
            print(tally.adding(response).line)
        }
    }

    /// Asks for a page of cities, then for the page that its `Link` field names, to the last.
    private func cities(
        from client: Client, at endpoint: WorldAPI = .cities, tally: Tally = Tally("Cities")
    ) -> Promise<Void> {
        client.enqueue(endpoint).then { (page: Response<Many<City>>) -> Promise<Void> in
            let tally = tally.adding(page)
            Progress.show("\(tally.requests) pages of cities")
            if let next = page.link(rel: "next") {
                return cities(from: client, at: .page(next), tally: tally)
            }
            Progress.clear()
            print(tally.line)
            return .fulfilled()
        }
    }
}
