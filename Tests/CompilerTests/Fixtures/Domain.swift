import Foundation
import Larder

enum Shape: String, AttributeValue {
    case paper, sound
}

@Entity struct Author {
    @Identity var id: Int
    var name: String
    var born: Date?
    var teacher: One<Author>
    var books: Many<Book>
}

@Entity struct Book {
    @Identity var isbn: String
    var title: String
    var pages: Int
    var price: Double?
    var isSold: Bool
    var made: Date?
    var shape: Shape?
    var author: One<Author>?
}

@Entity struct Seat {
    @Identity var row: String
    @Identity var number: Int
}

@Entity struct Line {
    var text: String
}

struct LogIn: Wrapper {
    var token: String
    @Stored var author: Author
}

nonisolated struct Token: Codable, Sendable {
    var text: String
}

struct Get: Endpoint {
    var path: String
}

struct AllBooks: RespondingEndpoint {
    typealias Response = Many<Book>
    var path: String { "books" }
}
