import Larder

@Entity(keys: .snakeCase)
struct City {
    @Identity @Attribute("geoname_id") var id: Int
    @Attribute(indexed: true) var name: String
    @Attribute(indexed: true) var population: Int
    @Attribute("location.latitude") var latitude: Double
    @Attribute("location.longitude") var longitude: Double
    var timeZone: String
    @Relationship(inverse: "cities") var country: One<Country>
    var continent: One<Continent>
}
