import Larder

@Entity(keys: .snakeCase)
struct Asset {
    @Identity var id: Int
    var name: String
    var size: Int
    @Attribute("download_count") var downloads: Int
    var contentType: String
    var uploader: One<User>
}
