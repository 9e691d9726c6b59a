import Larder

@Entity(keys: .snakeCase)
struct Country {
    @Identity var code: String
    var name: String
    var capital: String?
    var population: Int
    @Attribute("area_km2") var area: Int
    var currencyCode: String?
    var continent: One<Continent>

    // Not in the JSON: the other side of City.country.
    @Relationship(inverse: "country", ordered: false, mapped: false) var cities: Many<City>
}
