import Larder

@Entity(keys: .snakeCase)
struct Release {
    @Identity var id: Int
    @Attribute("tag_name") var tag: String
    var name: String?
    @Attribute("draft") var isDraft: Bool
    @Attribute("prerelease") var isPrerelease: Bool
    var body: String?
    var author: One<User>?
    var assets: Many<Asset>
}
