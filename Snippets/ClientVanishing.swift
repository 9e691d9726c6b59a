// Objects that the server does not have any more.

import Foundation
import HTTPTypes
import Larder

@Entity struct Project {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "project", ordered: false, delete: .cascade) var tasks: Many<Task>
    var tags: Many<Tag>
}

// snippet.tombstone
@Entity(keys: .snakeCase, tombstone: "deleted_at") struct Task {
    @Identity var id: Int
    var title: String
    var isOpen = true
    @Attribute(mapped: false) var isGone = false
    @Relationship(inverse: "tasks") var project: One<Project>?
}

// [{"id": 1, "title": "Paint"}, {"id": 2, "deleted_at": "2026-11-25T09:00:00Z"}]
// snippet.end

@Entity struct Tag {
    @Identity var name: String
}

// snippet.query
struct OpenTasks: RespondingEndpoint {
    typealias Response = Larder.Response<Many<Task>>
    let path = "tasks"
    var query: QueryParameters { ["state": "open"] }
    var completeness: Completeness { .whole(Task.where { $0.isOpen == true }) }
}

func refresh(_ client: Client) {
    client.enqueue(OpenTasks()).then { tasks in
        print(tasks.report["Task"].deleted, "have vanished")
    }
}
// snippet.end

// snippet.relationship
struct TasksOfProject: Endpoint {
    let project: Int
    var path: URLPath { "projects/\(project)/tasks" }
    var completeness: Completeness { .whole(\.tasks, of: One<Project>(id: project)) }
}
// snippet.end

// snippet.mark
struct AllTasks: Endpoint {
    let path = "tasks"
    var completeness: Completeness { .whole(Task.all, marking: \.isGone) }
}
// snippet.end

// snippet.nested
// {"has_more": false, "items": [{"id": 1, "name": "House", "tags": [{"name": "home"}]}]}
struct Projects: Endpoint {
    /// What has changed since then; nil: all there are.
    var changedSince: Date?
    let path = "projects"
    var query: QueryParameters { ["since": changedSince?.ISO8601Format()] }

    var completeness: Completeness {
        guard changedSince == nil else { return .partial }
        return .whole(Project.all).and(.whole(Tag.all)).unless("has_more").allowingEmptying()
    }
}
// snippet.end

// snippet.removal
struct DeleteTask: Endpoint {
    let id: Int
    var path: URLPath { "tasks/\(id)" }
    var method: HTTPRequest.Method { .delete }
    var removal: Removal { .of(One<Task>(id: id)) }
}
// snippet.end

// snippet.pull
func pullAll(_ client: Client) async throws {
    let pull = try await client.pull(AllTasks(), as: Many<Task>.self).value
    if case .notFound(let reason) = pull.vanished { print("nothing was looked for:", reason) }
}
// snippet.end

// snippet.store
func take(_ data: Data, into store: Store) throws {
    try store.import(Many<Task>.self, from: data, completing: .whole(Task.all))
}
// snippet.end
