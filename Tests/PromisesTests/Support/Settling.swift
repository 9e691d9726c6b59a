import Dispatch
import Foundation
import LarderPromises

/// When a promise settles, seen from the code that attaches handlers to it.
enum Moment: CaseIterable, Sendable {
    case already
    case immediately
    case eventually
}

/// How a promise settles.
enum Settlement: CaseIterable, Sendable {
    case fulfilled
    case rejected

    static let value = 7
    static let error = Sample.first

    func apply(to resolver: Resolver<Int>) {
        switch self {
        case .fulfilled: resolver.fulfill(Self.value)
        case .rejected: resolver.reject(Self.error)
        }
    }
}

/// Settles a promise before, right after, or some time after `attach`, and waits for all handlers.
func settle(
    _ settlement: Settlement, _ moment: Moment,
    attach: (Promise<Int>, Resolver<Int>) throws -> Void
) async rethrows {
    let (promise, resolver) = Promise<Int>.pending()
    if moment == .already { settlement.apply(to: resolver) }
    try attach(promise, resolver)
    switch moment {
    case .already: break
    case .immediately: settlement.apply(to: resolver)
    case .eventually: DispatchQueue.global().async { settlement.apply(to: resolver) }
    }
    _ = await promise.result
    await drained()
}

/// Waits until a scheduler has run what is queued, and what that queues.
func drained(_ scheduler: Scheduler = .default) async {
    for _ in 0..<4 { _ = await Promise.fulfilled().then(on: scheduler) {}.result }
}

/// Runs `body` in a handler of the default scheduler.
func onScheduler(_ body: @escaping @Sendable () -> Void) async {
    _ = await Promise.fulfilled().then { body() }.result
    await drained()
}

/// Runs what takes long, or blocks, on a thread of its own: those of tasks are few, and others need
/// them.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

extension Result where Failure == any Error {
    var errorOrNil: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension Promise {
    /// The error, once the promise is rejected; `nil` when it is fulfilled.
    var failure: (any Error)? {
        get async { await result.errorOrNil }
    }
}
