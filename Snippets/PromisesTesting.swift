// Handlers and time, moved by hand in a test.

import Larder

let manual = ManualScheduler()
let sum = Promise.fulfilled(1).then(on: manual.scheduler) { (number: Int) in number + 1 }
manual.run()  // runs the handler, here and now

let clock = ManualClock()
let (work, resolver) = Promise<Int>.pending()
let limited = work.timeout(after: .seconds(5), clock: clock)
await clock.sleepers(atLeast: 1)
clock.advance(by: .seconds(5))  // rejects with PromiseError.timedOut

// snippet.hide
print(try await sum.value, await limited.result, resolver.isCancelled)
