// A function with a completion handler, as a promise.

import Larder

func read(completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
    completion("text", nil)
}

let reading = Promise<String>.wrap { read(completion: $0) }

// snippet.hide
print(try await reading.value)
