// What was fetched once answers when the network is gone.

import Foundation
import Larder

@Entity struct Country {
    @Identity var code: String
    var name: String
}

// snippet.configure
let store = try Store.temporary(entities: Country.self)
var configuration = Client.Configuration()
configuration.fetchPolicy = .networkFirst(within: .seconds(3))
let client = Client(
    baseURL: "https://api.example.com/", store: store, configuration: configuration)
// snippet.end

// snippet.declaration
struct Countries: Endpoint {
    let path = "countries"
    var fetchPolicy: FetchPolicy { .fresh(for: .seconds(86_400)) }
    var tags: [String] { ["places"] }
}
// snippet.end

// snippet.call
func pullToRefresh() -> Promise<[Country]> {
    client.fetching(.networkOnly).enqueue(Countries(), as: [Country].self)
}

func withoutNetwork() -> Promise<[Country]> {
    client.fetching(.storeOnly).enqueue(Countries(), as: [Country].self)
}
// snippet.end

// snippet.source
func show(_ countries: Response<[Country]>) {
    let age = countries.age.map { "\($0.components.seconds) s old" } ?? "new"
    print(countries.value.count, "countries, \(age), from", countries.source)
    if countries.missingCount > 0 { print(countries.missingCount, "are not here any more") }
}
// snippet.end

// snippet.both
func showBoth() async throws {
    let both = client.storeThenNetwork { $0.enqueue(Countries(), as: [Country].self) }
    for try await (countries, source) in both {
        print(countries.count, "countries from", source)
    }
}
// snippet.end

// snippet.freshness
func showFreshness() async throws {
    for try await freshness in client.freshnessUpdates(of: Countries()) {
        print(freshness?.age() ?? .zero, freshness?.objectCount ?? 0)
    }
}

func loadIfNeeded() -> Promise<Bool> {
    client.loadIfNeeded(Countries(), freshFor: .seconds(600)) {
        $0.enqueue($1, as: [Country].self)
    }
}
// snippet.end

// snippet.invalidate
func countryHasChanged() {
    client.invalidate(Countries())
    client.invalidate(Countries.self)
    client.invalidate(tag: "places")
}
// snippet.end

// snippet.account
func logIn(_ name: String, with credential: Credential) -> Client {
    client.configured {
        $0.account = name
        $0.interceptors.append(AuthorizationInterceptor(credential))
    }
}

/// Of the client that `logIn` has returned, as no other has the credential.
func logOut(of client: Client) -> Promise<Void> {
    client.logOut(keeping: [Country.self])
}
// snippet.end
