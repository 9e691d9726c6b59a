// The third version of a model, to which stores come from the first and from the second.

import Larder

@Entity struct Note {
    @Identity var id: Int
    var title: String  // in version 0: name
    var size: Double  // in version 1: words, in version 0 nothing
}

var configuration = Store.Configuration()
configuration.migration.version = 2
configuration.migration.steps = [
    // In place of the step from 0 to 1, which set `words`.
    Migration(from: 0, to: 2, resolving: [.attribute("Note.name")]) { context in
        try context.map("Note") { old, new in
            let name = try old.value("name", as: String.self) ?? ""
            try new.set("title", name)
            try new.set("size", Double(name.split(separator: " ").count))
        }
    },
    Migration(from: 1, to: 2, resolving: [.attribute("Note.words")]) { context in
        try context.map("Note") { old, new in
            try new.set("size", Double(try old.value("words", as: Int.self) ?? 0))
        }
    },
]
let store = try Store(at: "notes.sqlite", entities: Note.self, configuration: configuration)
print(try store.count(Note.all))
