import LarderPromises
import Testing

/// `validate`; each other operator of the file has a suite below.
@Suite(.timeLimit(.minutes(60)))
struct PromiseValuesTests {
    @Test func `passes what is valid`() async throws {
        #expect(try await Promise.fulfilled(4).validate { $0 > 3 }.value == 4)
    }

    @Test func `rejects what is not`() async {
        let end = Promise.fulfilled(3).validate { $0 > 3 }
        #expect(await end.failure as? PromiseError == .invalid)
    }

    @Test func `rejects with what the check throws`() async {
        let end = Promise.fulfilled(3).validate { _ in throw Sample.second }
        #expect(await end.failure as? Sample == .second)
    }

    @Test func `passes errors on`() async {
        let end = Promise<Int>.rejected(Sample.first).validate { _ in true }
        #expect(await end.failure as? Sample == .first)
    }
}

@Suite(.timeLimit(.minutes(60)))
struct TapTests {
    @Test func `sees either outcome and changes nothing`() async throws {
        let log = Log<String>()
        let fulfilled = Promise.fulfilled(1).tap { log.add("\($0)") }
        #expect(try await fulfilled.value == 1)
        let rejected = Promise<Int>.rejected(Sample.first).tap { _ in log.add("error") }
        #expect(await rejected.failure as? Sample == .first)
        #expect(log.entries == ["success(1)", "error"])
    }
}

@Suite(.timeLimit(.minutes(60)))
struct AsVoidTests {
    @Test func `drops the value and keeps the error`() async throws {
        let done: Promise<Void> = Promise.fulfilled(1).asVoid()
        try await done.value
        #expect(await Promise<Int>.rejected(Sample.first).asVoid().failure as? Sample == .first)
    }

    @Test func `cancels what it stands for`() {
        let (promise, resolver) = Promise<Int>.pending()
        promise.asVoid().cancel()
        #expect(resolver.isCancelled)
    }
}

@Suite(.timeLimit(.minutes(60)))
struct MapElementsTests {
    @Test func `transforms every element in order`() async throws {
        #expect(
            try await Promise.fulfilled([1, 2, 3]).mapElements { "\($0)" }.value == ["1", "2", "3"])
        #expect(try await Promise.fulfilled(0..<3).mapElements { $0 * 2 }.value == [0, 2, 4])
        #expect(try await Promise<[Int]>.fulfilled([]).mapElements { $0 }.value == [])
    }

    @Test func `stops at an error`() async {
        let log = Log<Int>()
        let end = Promise.fulfilled([1, 2, 3]).mapElements { (element: Int) -> Int in
            log.add(element)
            if element == 2 { throw Sample.second }
            return element
        }
        #expect(await end.failure as? Sample == .second)
        #expect(log.entries == [1, 2])
    }
}

@Suite(.timeLimit(.minutes(60)))
struct ReduceTests {
    @Test func `combines one after the other`() async throws {
        let end = Promise.reduce(["a", "b", "c"], from: "") { text, item in
            Promise { text + item }
        }
        #expect(try await end.value == "abc")
    }

    @Test func `waits for each step`() async throws {
        let (gate, resolver) = Promise<Int>.pending()
        let log = Log<Int>()
        let end = Promise.reduce([1, 2], from: 0) { sum, item -> Promise<Int> in
            log.add(item)
            return gate.then { $0 + sum + item }
        }
        await drained()
        #expect(log.entries == [1])
        resolver.fulfill(10)
        #expect(try await end.value == 23)
    }

    @Test func `of nothing is the initial value`() async throws {
        let end = Promise.reduce([Int](), from: 5) { sum, _ in Promise.fulfilled(sum) }
        #expect(try await end.value == 5)
    }

    @Test func `stops at an error`() async {
        let log = Log<Int>()
        let end = Promise.reduce([1, 2, 3], from: 0) { _, item -> Promise<Int> in
            log.add(item)
            throw Sample.first
        }
        #expect(await end.failure as? Sample == .first)
        #expect(log.entries == [1])
    }
}

@Suite(.timeLimit(.minutes(60)))
struct FirstlyTests {
    @Test func `runs at once and goes on with then`() async throws {
        let log = Log<Int>()
        let promise = firstly {
            log.add(1)
            return Promise.fulfilled(2)
        }
        #expect(log.entries == [1])
        #expect(try await promise.then { $0 + 1 }.value == 3)
    }

    @Test func `rejects with what is thrown`() async {
        let failed: Promise<Int> = firstly { throw Sample.first }
        #expect(await failed.failure as? Sample == .first)
    }

    @Test func `is the promise that was returned`() {
        let (inner, resolver) = Promise<Int>.pending()
        firstly { inner }.cancel()
        #expect(resolver.isCancelled)
    }
}
