import Foundation
import LarderClient
import LarderObjectStore
import LarderTesting

@Entity struct User: Equatable {
    @Identity var id: Int
    var login: String
}

@Entity struct Article {
    @Identity var id: Int
    var title: String
    var author: One<User>
    var tags: Many<Tag>
}

@Entity struct Tag {
    @Identity var name: String
}

/// A response of which one part is stored.
struct LogIn: Wrapper {
    var token: String
    @Stored var user: User
}

/// A response of which nothing is stored.
struct Plain: Decodable {
    struct User: Decodable {
        var login: String
    }

    var token: String
    var user: User
}

/// An endpoint of which only the path matters.
struct Resource: Endpoint {
    let path: String

    init(_ path: String) {
        self.path = path
    }
}

/// The resource at a URL, wherever that is.
struct Link: Endpoint {
    let path: URL

    init(_ url: String) {
        path = URL(string: url) ?? URL(filePath: "/")
    }
}
