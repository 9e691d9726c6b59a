// A store that an earlier version of the app has written.

import Foundation
import Larder

@Entity(renamedFrom: "Ticket") struct Issue {
    @Identity var id: Int
    @Attribute(renamedFrom: "name") var title: String
    var priority = 3  // new: what is there gets the default
    var firstName: String?
    var lastName: String?
}

// snippet.options
var configuration = Store.Configuration()
configuration.migration.backup = .beside
configuration.migration.progress = { print($0.entity, $0.completed, "of", $0.total) }
configuration.migration.allowedLosses = [.attribute("Ticket.notes")]

// snippet.step
configuration.migration.version = 2
configuration.migration.steps = [
    Migration(from: 1, to: 2, resolving: [.attribute("Ticket.author")]) { context in
        try context.map("Issue") { old, new in
            let names = try old.value("author", as: String.self)?.split(separator: " ") ?? []
            try new.set("firstName", names.first.map(String.init))
            try new.set("lastName", names.last.map(String.init))
        }
    }
]

// snippet.open
do {
    let store = try Store(at: "app.sqlite", entities: Issue.self, configuration: configuration)
    print(try store.count(Issue.all))
} catch let error as MigrationError {
    // What would be lost, entity by entity, with the number of objects that have it.
    for loss in error.losses { print(loss) }
}
