import Foundation
import Larder

/// What the store knows when nobody else is left to ask.
struct Questions {
    let store: Store

    func answerAll() throws {
        let start = ContinuousClock.now
        try contents()
        try largestCitiesOfEachContinent()
        try countriesWithMostCities()
        try oneCity(named: "Reykjavík")
        print("\nAnswered from the store in \((ContinuousClock.now - start).inMilliseconds).")
    }

    private func contents() throws {
        let cities = try store.count(City.all).grouped
        let countries = try store.count(Country.all).grouped
        let user = try store.first(Person.all)
        print("The store holds \(cities) cities of \(countries) countries", terminator: "")
        print(user.map { ", pulled by \($0.name)." } ?? ".")
    }

    private func largestCitiesOfEachContinent() throws {
        var blocks: [[String]] = []
        for continent in try store.fetch(Continent.all.sorted { $0.name.ascending }) {
            let cities = try store.fetch(
                City.where { $0.continent.code == continent.code }
                    .sorted { $0.population.descending }
                    .limit(10))
            guard !cities.isEmpty else { continue }
            blocks.append([continent.name] + cities.map { "  " + line($0.name, $0.population) })
        }
        print("\nThe ten largest cities of each continent")
        print(Columns(blocks: blocks))
    }

    private func countriesWithMostCities() throws {
        print("\nThe countries with the most cities\n")
        let countries = Country.all.sorted { $0.cities.count.descending }.limit(5)
        for country in try store.fetch(countries) {
            print("  " + line(country.name, try country.cities.count))
        }
    }

    private func oneCity(named name: String) throws {
        guard let city = try store.first(City.where { $0.name == name }) else { return }
        let country = try city.country.fetch()
        let continent = try country.continent.fetch()
        print("\n\(city.name) is a city of \(country.name), \(continent.name).")
    }

    private func line(_ name: String, _ number: Int) -> String {
        name.left(18) + number.grouped.right(12)
    }
}
