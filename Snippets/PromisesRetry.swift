// Trying again, with pauses that grow, and a limit in time.

import Larder

func fetch() -> Promise<String> {
    Promise.fulfilled("fresh")
}

let fetching = Promise.retry(attempts: 5, backoff: .exponential(from: .milliseconds(200))) {
    fetch().timeout(after: .seconds(10))
}

// snippet.hide
print(try await fetching.value)
