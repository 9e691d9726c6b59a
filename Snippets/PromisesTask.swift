// Asynchronous work as a promise.

import Larder

@Sendable func load(_ page: Int) async throws -> [String] {
    try await Task.sleep(for: .milliseconds(1))
    return ["page \(page)"]
}

let pages = Promise { try await load(1) }
    .then { (first: [String]) in
        Promise { try await first + load(2) }
    }

// Later on, `pages.cancel()` cancels the task that runs.

// snippet.hide
print(try await pages.value)
