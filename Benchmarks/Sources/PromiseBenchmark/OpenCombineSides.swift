import OpenCombine

/// OpenCombine's futures, which run everything on the calling stack.
enum OpenCombineSides {
    static let settled = Side(name: "OpenCombine") { count in
        let counter = Counter(count)
        for index in 0..<count {
            let subscription = Future<Int, Never> { $0(.success(index)) }
                .map { $0 + 1 }
                .flatMap { value in Future<Int, Never> { $0(.success(value + 1)) } }
                .map { $0 + 1 }
                .sink { counter.sum &+= $0 }
            subscription.cancel()
        }
        return counter.sum
    }

    static let deferred = Side(name: "OpenCombine") { count in
        let counter = Counter(count)
        for index in 0..<count {
            var settle: ((Result<Int, Never>) -> Void)?
            let subscription = Future<Int, Never> { settle = $0 }
                .map { $0 + 1 }
                .map { $0 + 1 }
                .map { $0 + 1 }
                .sink { counter.sum &+= $0 }
            settle?(.success(index))
            subscription.cancel()
        }
        return counter.sum
    }
}
