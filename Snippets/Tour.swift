// The README's tour, from an entity to a query without the network.

import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Issue {
    @Identity var id: Int
    var title: String
    var body: String?
    var createdAt: Date
    var user: One<User>
    var labels: Many<Label>
}

@Entity(keys: .snakeCase)
struct User {
    @Identity var id: Int
    var login: String
    @Attribute("avatar_url") var picture: URL?
}

@Entity
struct Label {
    @Identity var id: Int
    var name: String
}

enum GitHub: Endpoint {
    case issues(repository: String)
    case logIn(name: String, password: String)

    var path: URLPath {
        switch self {
        case .issues(let repository): "repos/\(repository)/issues"
        case .logIn: "login"
        }
    }

    var method: HTTPRequest.Method {
        if case .logIn = self { .post } else { .get }
    }

    var body: RequestBody? {
        guard case .logIn(let name, let password) = self else { return nil }
        return .json(["name": name, "password": password])
    }
}

struct LogIn: Wrapper {
    var token: String  // handed over and forgotten
    @Stored var user: User  // in the store by now
}

let store = try Store(at: "app.sqlite", entities: Issue.self, User.self, Label.self)
let client = Client(baseURL: "https://api.example.com/", store: store)

// snippet.chain
client.enqueue(GitHub.issues(repository: "larder"))
    .then { (issues: Many<Issue>) in print("\(try issues.count) issues are in the store") }
    .catch { error in print(error) }
// snippet.end

let logIn: Promise<LogIn> = client.enqueue(GitHub.logIn(name: "ann", password: "secret"))
logIn.cancel()

// A parameter says what the response becomes where neither a closure nor a variable does.
client.enqueue(GitHub.issues(repository: "larder"), as: [Issue].self).then { print($0.count) }

// The same without a chain.
let issues: [Issue] = try await client.enqueue(GitHub.issues(repository: "larder")).value
print(issues.count)

let crashes = try store.fetch(
    Issue.where { $0.title.contains("crash") && $0.user.login == "ann" }
        .sorted { $0.createdAt.descending }
        .limit(20))
for issue in crashes {
    print(issue.title, try issue.user.fetch().login, try issue.labels.fetch().map(\.name))
}
