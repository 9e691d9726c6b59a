import Foundation
import Larder

@Entity struct Issue {
    @Identity var id: Int
    var title: String
    var body: String?
    var comments: Int
    var score: Double
    var createdAt: Date
}

/// `store.fetch`, `context.update`.
struct LarderSide: Side {
    static let name = "Larder"

    private let store: Store

    init(folder: URL, count: Int) throws {
        store = try Store(
            at: folder.appending(path: "larder.sqlite").path(), entities: Issue.self)
        try store.save((0..<count).map { Sample.issue($0) })
    }

    func read(from id: Int) throws -> Int {
        try store.fetch(Issue.where { $0.id >= id }.sorted { $0.id.ascending }.limit(50)).count
    }

    func write(from id: Int) throws {
        try store.write { context -> Void in
            try context.update(Issue.where { $0.id >= id && $0.id < id + 200 }) {
                $0.comments.increment()
            }
        }
    }
}

/// What the issues say.
enum Sample {
    static let body = String(repeating: "All work and no play. ", count: 20)

    static func issue(_ id: Int) -> Issue {
        Issue(
            id: id, title: "Issue \(id)", body: body, comments: 3, score: 1.5,
            createdAt: Date(timeIntervalSinceReferenceDate: Double(id)))
    }
}
