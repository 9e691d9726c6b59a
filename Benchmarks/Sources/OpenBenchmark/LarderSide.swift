import Issues
import Larder

/// `Store(at:entities:)`, which checks the file, its model and its log, then `find`.
struct LarderSide: Side {
    let name = "Larder"

    func open(_ path: String, id: Int) throws -> Double {
        var store: Store?
        var issue: Issue?
        let took = try seconds {
            let opened = try Store(at: path, entities: Issue.self, User.self, Label.self)
            store = opened
            issue = try opened.find(Issue.self, id: id)
        }
        guard issue?.id == id else { throw WrongResult(side: name) }
        try store?.close()
        return took
    }
}
