import Foundation

/// What the server answers with, encoded once: nested objects, bare ids, snake_case keys.
struct WorldPages {
    static let citiesPerPage = 500

    let countries: Data
    let cities: [Data]

    init(_ world: WorldData) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys

        countries = try encoder.encode(
            world.countries.values.sorted { $0.code < $1.code }
                .compactMap { CountryPayload($0, in: world) })
        cities = try stride(from: 0, to: world.cities.count, by: Self.citiesPerPage).map { start in
            let page = world.cities.dropFirst(start).prefix(Self.citiesPerPage)
            return try encoder.encode(page.compactMap { CityPayload($0, in: world) })
        }
    }
}

/// A country with its continent as an object.
private struct CountryPayload: Encodable {
    struct Continent: Encodable {
        let code: String
        let name: String
    }

    let code: String
    let name: String
    let capital: String?
    let population: Int
    let areaKm2: Int
    let currencyCode: String?
    let continent: Continent

    init?(_ country: WorldData.Country, in world: WorldData) {
        guard let continent = world.continents[country.continent] else { return nil }
        code = country.code
        name = country.name
        capital = country.capital
        population = country.population
        areaKm2 = country.area
        currencyCode = country.currency
        self.continent = Continent(code: continent.code, name: continent.name)
    }
}

/// A city with its country as an object and its continent as a bare code.
private struct CityPayload: Encodable {
    struct Country: Encodable {
        let code: String
        let name: String
    }

    struct Location: Encodable {
        let latitude: Double
        let longitude: Double
    }

    let geonameId: Int
    let name: String
    let population: Int
    let location: Location
    let timeZone: String
    let country: Country
    let continent: String

    init?(_ city: WorldData.City, in world: WorldData) {
        guard let country = world.countries[city.country] else { return nil }
        geonameId = city.id
        name = city.name
        population = city.population
        location = Location(latitude: city.latitude, longitude: city.longitude)
        timeZone = city.timeZone
        self.country = Country(code: country.code, name: country.name)
        continent = country.continent
    }
}
