import Foundation
import Larder

/// A process that starts without the network: it asks for the same as `Pull`, by the same endpoints, and the
/// store answers by what an earlier process has brought.
struct SecondStart {
    let client: Client

    func run() async throws {
        let start = ContinuousClock.now
        let countries = try await client.enqueue(
            WorldAPI.countries, as: Response<Many<Country>>.self
        ).value
        var (requests, cities) = (1, 0)
        var sources: Set = [countries.source]
        var next: WorldAPI? = .cities
        while let endpoint = next {
            let page = try await client.enqueue(endpoint, as: Response<Many<City>>.self).value
            requests += 1
            cities += try page.value.count
            sources.insert(page.source)
            next = page.link(rel: "next").map(WorldAPI.page)
        }
        let names = sources.map { "\($0)" }.sorted().joined(separator: ", ")
        print(
            "Without a server the \(names) has answered \(requests) requests:"
                + " \(try countries.value.count) countries, \(cities.grouped) cities,"
                + " in \((ContinuousClock.now - start).inMilliseconds).")
    }
}
