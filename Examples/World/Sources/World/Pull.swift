import Foundation
import Larder

/// Brings the world into the store: logs in, then asks for the countries, then for the cities.
struct Pull {
    let baseURL: URL
    let store: Store

    func run() -> Promise<Void> {
        print(Tally.header)
        return logIn()
            .then { token in client(sending: token) }
            .then { client in
                countries(from: client).then { cities(from: client) }
            }
            .finally { Progress.clear() }
    }

    private func logIn() -> Promise<String> {
        let tally = Tally("Log-in")
        return Client(baseURL: baseURL, store: store)
            .enqueue(WorldAPI.logIn(name: "ada", password: "lovelace"))
            .then { (response: Response<LogIn>) in
                print(tally.adding(response.report).line)
                return response.value.token
            }
    }

    private func client(sending token: String) -> Client {
        var configuration = Client.Configuration()
        configuration.headerFields[.authorization] = "Bearer \(token)"
        (configuration.account, configuration.fetchPolicy) = ("ada", .networkFirst())
        return Client(baseURL: baseURL, store: store, configuration: configuration)
    }

    private func countries(from client: Client) -> Promise<Void> {
        let tally = Tally("Countries")
        return client.enqueue(WorldAPI.countries).then { (response: Response<Many<Country>>) in
            print(tally.adding(response.report).line)
        }
    }

    /// Asks for a page of cities, then for the page that its `Link` field names, to the last.
    private func cities(
        from client: Client, at endpoint: WorldAPI = .cities, tally: Tally = Tally("Cities")
    ) -> Promise<Void> {
        client.enqueue(endpoint).then { (page: Response<Many<City>>) -> Promise<Void> in
            let tally = tally.adding(page.report)
            Progress.show("\(tally.count(of: City.self).grouped) cities")
            if let next = page.link(rel: "next") {
                return cities(from: client, at: .page(next), tally: tally)
            }
            Progress.clear()
            print(tally.line)
            return .fulfilled()
        }
    }
}
