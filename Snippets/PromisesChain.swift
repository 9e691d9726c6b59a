// A chain: a value, a promise, a handler for the end.

import Larder

func loadName(of id: Int) -> Promise<String> {
    Promise.fulfilled("user \(id)")
}

let chain = Promise.fulfilled(20)
    .then { $0 + 1 }
    .then { loadName(of: $0) }
    .then { print($0) }  // user 21
    .catch { print($0) }

// snippet.hide
try await chain.value
