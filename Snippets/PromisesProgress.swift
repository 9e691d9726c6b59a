// A promise that tells how far it has come.

import Larder

let download = ProgressPromise<String, Double> { resolver, report in
    report(0.5)
    resolver.fulfill("done")
}

for await fraction in download.progress {
    print(fraction)
}
print(try await download.promise.value)
