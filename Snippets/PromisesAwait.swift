// Awaiting a promise.

import Larder

let promise = Promise.fulfilled(1).then { (number: Int) in number + 1 }

let value = try await promise.value

switch await promise.result {
case .success(let value): print(value)
case .failure(let error): print(error)
}

// snippet.hide
print(value)
