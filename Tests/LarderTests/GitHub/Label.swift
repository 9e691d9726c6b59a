import Larder

@Entity(keys: .snakeCase)
struct Label {
    @Identity var id: Int
    var name: String
    var color: String
    @Attribute("default") var isDefault: Bool
}
