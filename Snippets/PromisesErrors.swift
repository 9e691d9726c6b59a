// Errors: seen by `catch`, replaced by `recover`, and cleaned up after in any case.

import Larder

enum LoadError: Error, Equatable {
    case offline
    case denied
}

let loading = Promise<String>.rejected(LoadError.offline)
    .recover(only: LoadError.offline) { "the copy on disk" }
    .catch(only: LoadError.denied) { print("log in first") }
    .catch { error in print("failed: \(error)") }
    .finally { print("over") }

// snippet.hide
print(try await loading.value)
