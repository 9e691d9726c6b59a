// Handlers on the main actor.

import Larder

@MainActor
final class Screen {
    var title = ""

    func show() -> Promise<Void> {
        Promise { "loaded" }
            .then(on: MainActor.shared) { (text: String) in self.title = text }
            .finally(on: MainActor.shared) { self.title += "." }
    }
}

// snippet.hide
let screen = Screen()
try await screen.show().value
print(screen.title)
