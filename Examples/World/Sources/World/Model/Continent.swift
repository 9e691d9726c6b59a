import Larder

@Entity(keys: .snakeCase)
struct Continent {
    @Identity var code: String
    var name: String
}
