import NIOCore
import NIOPosix

/// NIO's futures on their own event loop, where they need no locks.
enum NIOSides {
    private static let loop = MultiThreadedEventLoopGroup.singleton.next()

    static let settled = Side(name: "NIO, own loop") { count in
        try await loop.submit {
            let counter = Counter(count)
            for index in 0..<count {
                loop.makeSucceededFuture(index)
                    .map { $0 + 1 }
                    .flatMap { loop.makeSucceededFuture($0 + 1) }
                    .map { $0 + 1 }
                    .whenSuccess { counter.sum &+= $0 }
            }
            return counter.sum
        }.get()
    }

    static let deferred = Side(name: "NIO, own loop, deferred") { count in
        try await loop.submit {
            let counter = Counter(count)
            for index in 0..<count {
                let promise = loop.makePromise(of: Int.self)
                promise.futureResult
                    .map { $0 + 1 }
                    .map { $0 + 1 }
                    .map { counter.sum &+= $0 + 1 }
                    .whenFailure { _ in }
                promise.succeed(index)
            }
            return counter.sum
        }.get()
    }
}
