import Foundation
import Larder

@Entity struct Issue {
    @Identity var id: Int
    var number: Int
    var title: String
    var body: String?
    var state: String
    var comments: Int
    var score: Double
    var locked: Bool
    var createdAt: Date
}

/// `store.observe(query)`.
final class LarderSide: Side {
    static let name = "Larder"

    private let store: Store
    private let count: Int
    private var delivery = Delivery<[Issue]>()
    private var observation: StoreObservation?

    init(folder: URL, count: Int) throws {
        self.count = count
        store = try Store(
            at: folder.appending(path: "larder.sqlite").path(), entities: Issue.self)
        for start in stride(from: 0, to: count, by: 10_000) {
            let issues = (start..<min(start + 10_000, count)).map { json($0, title: "Issue \($0)") }
            try store.import(
                Many<Issue>.self, from: Data("[\(issues.joined(separator: ","))]".utf8))
        }
    }

    func observe(newestFirst: Bool) throws -> Double {
        let query = newestFirst ? Issue.all.sorted { $0.createdAt.descending } : Issue.all
        delivery = Delivery()
        return try delivery.seconds {
            observation = store.observe(query).start(on: .immediate) { [delivery] in
                delivery.arrived($0)
            }
        } until: {
            $0.count >= count
        }
    }

    func cancel() { observation = nil }

    func update(_ id: Int, title: String) throws -> Double {
        try delivery.seconds {
            try store.import(Many<Issue>.self, from: Data("[\(json(id, title: title))]".utf8))
        } until: {
            $0.contains { $0.id == id && $0.title == title }
        }
    }

    func insert(_ id: Int) throws -> Double { try update(id, title: "Issue \(id)") }

    private func json(_ id: Int, title: String) -> String {
        let date = Sample.date(id).formatted(.iso8601)
        return """
            {"id": \(id), "number": \(id), "title": "\(title)", "body": "\(Sample.body)",
             "state": "open", "comments": 3, "score": 1.5, "locked": false, "createdAt": "\(date)"}
            """
    }
}
