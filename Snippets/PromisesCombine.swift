// Several promises at once.

import Larder

let first = Promise { 1 }
let second = Promise { "two" }

let (number, text) = try await Promise.all(first, second).value

// At most four at once, in the order of the items.
let squares = try await Promise.map(1...10, limit: 4) { item in
    Promise { item * item }
}.value

let quickest = try await Promise.race(Promise { 1 }, Promise { 2 }).value
let outcomes = try await Promise.allSettled(first, .rejected(CancellationError())).value

// snippet.hide
print(number, text, squares, quickest, outcomes)
