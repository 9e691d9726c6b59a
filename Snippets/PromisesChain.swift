// A chain: a value, a promise, a handler for the end.

import Larder

func loadName(of id: Int) -> Promise<String> {
    Promise.fulfilled("user \(id)")
}

let chain = Promise.fulfilled(20)
    .then { (number: Int) in number + 1 }
    .then { (number: Int) in loadName(of: number) }
    .then { (name: String) in print(name) }  // user 21
    .catch { error in print(error) }

// snippet.hide
try await chain.value
