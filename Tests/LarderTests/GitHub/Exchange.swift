import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Exchange {
    /// Whatever the server answered; only the store keeps it.
    struct Body: JSONAttribute {
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
    }

    @Identity var sequence: String
    @Identity var step: Int
    var method: String
    @Attribute("url") var address: URL
    var status: Int
    var body: Body?
}
