import LarderPromises

/// Larder's promises on the library's own scheduler: each chain starts the next in its last handler.
enum LarderSides {
    static let settled = Side(name: "Larder, own scheduler") { count in
        let counter = Counter(count)
        let (done, resolver) = Promise<Void>.pending()
        Promise.fulfilled().then { settledChain(counter, resolver) }
        try await done.value
        return counter.sum
    }

    static let settledFromOutside = Side(name: "Larder, from another thread") { count in
        let counter = Counter(count)
        let (done, resolver) = Promise<Void>.pending()
        for index in 0..<count {
            Promise.fulfilled(index)
                .then { (value: Int) in value + 1 }
                .then { (value: Int) in Promise.fulfilled(value + 1) }
                .then { (value: Int) in value + 1 }
                .then { (value: Int) in
                    counter.sum &+= value
                    counter.remaining -= 1
                    if counter.remaining == 0 { resolver.fulfill() }
                }
        }
        try await done.value
        return counter.sum
    }

    static let deferred = Side(name: "Larder, own scheduler, deferred") { count in
        let counter = Counter(count)
        let (done, resolver) = Promise<Void>.pending()
        Promise.fulfilled().then { deferredChain(counter, resolver) }
        try await done.value
        return counter.sum
    }

    private static func settledChain(_ counter: Counter, _ done: Resolver<Void>) {
        guard counter.remaining > 0 else { return done.fulfill() }
        counter.remaining -= 1
        Promise.fulfilled(counter.remaining)
            .then { (value: Int) in value + 1 }
            .then { (value: Int) in Promise.fulfilled(value + 1) }
            .then { (value: Int) in value + 1 }
            .then { (value: Int) in
                counter.sum &+= value
                settledChain(counter, done)
            }
    }

    private static func deferredChain(_ counter: Counter, _ done: Resolver<Void>) {
        guard counter.remaining > 0 else { return done.fulfill() }
        counter.remaining -= 1
        let (promise, resolver) = Promise<Int>.pending()
        promise
            .then { (value: Int) in value + 1 }
            .then { (value: Int) in value + 1 }
            .then { (value: Int) in
                counter.sum &+= value + 1
                deferredChain(counter, done)
            }
        resolver.fulfill(counter.remaining)
    }
}
