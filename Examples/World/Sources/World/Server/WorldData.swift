import Foundation

/// The bundled GeoNames data as it lies in Resources.
struct WorldData {
    struct Continent: Decodable {
        let code: String
        let name: String
    }

    struct Country: Decodable {
        let code: String
        let name: String
        let capital: String?
        let population: Int
        let area: Int
        let currency: String?
        let continent: String
    }

    struct City: Decodable {
        let id: Int
        let name: String
        let population: Int
        let latitude: Double
        let longitude: Double
        let timeZone: String
        let country: String
    }

    let continents: [String: Continent]
    let countries: [String: Country]
    let cities: [City]

    init() throws {
        continents = try Dictionary(
            uniqueKeysWithValues: Self.read([Continent].self, "continents").map { ($0.code, $0) })
        countries = try Dictionary(
            uniqueKeysWithValues: Self.read([Country].self, "countries").map { ($0.code, $0) })
        cities = try Self.read([City].self, "cities")
    }

    private static func read<Rows: Decodable>(_ type: Rows.Type, _ name: String) throws -> Rows {
        let url = Bundle.module.bundleURL.appending(path: "Resources/\(name).json")
        return try JSONDecoder().decode(type, from: Data(contentsOf: url))
    }
}
