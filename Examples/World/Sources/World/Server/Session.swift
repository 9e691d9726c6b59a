import FlyingFox
import Foundation

/// Who may ask: whoever logged in as Ada and sends the token back.
enum Session {
    private static let token = "7d1c4a90e2b35f68"

    private struct Credentials: Decodable {
        let name: String
        let password: String
    }

    static func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        let credentials = try await JSONDecoder()
            .decode(Credentials.self, from: request.bodyData)
        guard credentials.name == "ada", credentials.password == "lovelace" else {
            return HTTPResponse(
                statusCode: .unauthorized,
                body: Data(#"{"message": "Name or password is wrong."}"#.utf8))
        }
        let answer = """
            {"token": "\(token)",
             "user": {"id": 1, "name": "Ada Lovelace", "joined_at": "2024-12-10T08:00:00Z"}}
            """
        return HTTPResponse(
            statusCode: .ok, headers: [.contentType: "application/json"], body: Data(answer.utf8))
    }

    static func isOpen(_ request: HTTPRequest) -> Bool {
        request.headers[.authorization] == "Bearer \(token)"
    }
}
