import Foundation
import Issues
import Larder

/// `fetch` of all issues, and `find`.
struct LarderSide: Side {
    let name = "Larder"
    let path: String
    let count: Int
    private let store: Store

    /// Makes the store that all sides read.
    init(file: URL, path: String) throws {
        store = try Store(at: path, entities: Issue.self, User.self, Label.self)
        let issues: Many<Issue> = try store.import(from: Data(contentsOf: file))
        self.path = path
        count = try issues.count
    }

    func fetchAll() throws -> Double {
        var issues: [Issue] = []
        let took = try seconds { issues = try store.fetch(Issue.all) }
        guard issues.count == count else { throw WrongResult(side: name) }
        return took
    }

    func find(_ count: Int) throws -> Double {
        var found = 0
        let took = try seconds {
            for index in 0..<count {
                let issue = try store.find(Issue.self, id: IDs.first + index % IDs.count)
                if issue != nil { found += 1 }
            }
        }
        guard found == count else { throw WrongResult(side: name) }
        return took
    }
}
