import Foundation
import Larder

/// An object of about a kilobyte of JSON.
@Entity
struct Item {
    @Identity var id: Int
    var title: String
    var body: String
    var state: String
    var score: Double
    var isOpen: Bool
    var createdAt: Date
    var comments: Int

    static func json(_ id: Int) -> String {
        let body = String(repeating: "What is written in item \(id) is of no interest. ", count: 18)
        return """
            {"id": \(id), "title": "Item number \(id)", "body": "\(body)", "state": "open", \
            "score": \(Double(id) / 3), "isOpen": true, "createdAt": "2026-11-21T10:30:00Z", \
            "comments": \(id % 100)}
            """
    }
}

/// The item of a number.
struct ItemEndpoint: Endpoint {
    let id: Int

    var path: String { "items/\(id)" }
}
