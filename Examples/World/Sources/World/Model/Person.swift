import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Person {
    @Identity var id: Int
    var name: String
    @Attribute(.iso8601) var joinedAt: Date
}
