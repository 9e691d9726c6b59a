import Foundation
import Larder

/// What the API offers.
enum WorldAPI: Endpoint {
    static let baseURL = "http://world.example/"

    case logIn(name: String, password: String)
    case countries
    case cities
    case page(URL)
    case slow

    var path: URLPath {
        switch self {
        case .logIn: "login"
        case .countries: "countries"
        case .cities: "cities"
        case .page(let url): URLPath(url)
        case .slow: "slow"
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
