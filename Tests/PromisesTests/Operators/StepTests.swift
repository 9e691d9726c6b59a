import LarderPromises
import Testing

/// The ways closures are written; that this file compiles without a warning is half of the test.
struct StepTests {
    private struct User: Sendable, Equatable { var id: Int }
    private struct Many<Element: Sendable & Equatable>: Sendable, Equatable {
        var elements: [Element]
    }
    private protocol Response: Sendable { static var sample: Self { get } }
    private struct Users: Response {
        static var sample: Users { Users() }
        var count: Int { 2 }
    }
    @MainActor private final class Screen {
        nonisolated init() {}
        var lines: [String] = []
    }

    private func enqueue<T: Response>(_ path: String) -> Promise<T> { .fulfilled(T.sample) }

    @Test func `the closure's annotation picks the response, single statement`() async throws {
        let counts = Log<Int>()
        let end = enqueue("users").then { (users: Users) in counts.add(users.count) }
            .catch { print($0) }
        try await end.value
        #expect(counts.entries == [2])
        let count = enqueue("users")
            .then { (users: Users) in users.count }
            .catch { error in print(error) }
        #expect(try await count.value == 2)
    }

    @Test func `the closure's annotation picks the response, several statements`() async throws {
        enqueue("users").then { (users: Users) in
            let count = users.count
            print(count)
        }.catch { error in
            let text = "\(error)"
            print(text)
        }
        let end = enqueue("users").then { (users: Users) in
            let count = users.count
            return count + 1
        }
        #expect(try await end.value == 3)
    }

    @Test func `annotated results are a value or a promise`() async throws {
        let start = Promise.fulfilled(1)
        let value = start.then { (number: Int) -> String in "\(number)" }
        let promise = start.then { (number: Int) -> Promise<String> in
            let text = "\(number)"
            return Promise.fulfilled(text + "!")
        }
        let either = start.then { number in
            if number > 3 { return Promise.fulfilled(true) }
            return Promise { _ in throw PromiseError.cycle }
        }
        #expect(try await value.value == "1")
        #expect(try await promise.value == "1!")
        await #expect(throws: PromiseError.cycle) { try await either.value }
    }

    @Test func `asynchronous work is a promise of a closure`() async throws {
        @Sendable func double(_ number: Int) async throws -> Int { number * 2 }
        let short = Promise.fulfilled(2).then { number in Promise { try await double(number) } }
        let long = Promise.fulfilled(2).then { number in
            Promise {
                let once = try await double(number)
                return try await double(once)
            }
        }
        let healed = Promise<Int>.rejected(PromiseError.cycle).recover { _ in
            Promise { try await double(4) }
        }
        let tidied = healed.finally { Promise { await Task.yield() } }
        #expect(try await short.value == 4)
        #expect(try await long.value == 8)
        #expect(try await tidied.value == 8)
        #expect(try await Promise { try await double(5) }.value == 10)
    }

    @Test func `a handler that only throws`() async throws {
        let promise: Promise<Void> = Promise.fulfilled(1).then { _ in throw PromiseError.cycle }
        await #expect(throws: PromiseError.cycle) { try await promise.value }
    }

    @Test func `handlers of Void`() async throws {
        let count = Promise.fulfilled().then { 1 }
        #expect(try await count.value == 1)
        Promise.fulfilled().then { print("ready") }.finally { print("over") }
    }

    @Test func `handlers isolated to the main actor`() async throws {
        let screen = Screen()
        let end = Promise.fulfilled(1)
            .then(on: MainActor.shared) { number in
                screen.lines.append("one \(number)")
                screen.lines.append("two")
            }
            .then(on: MainActor.shared) { Promise.fulfilled(screen.lines.count) }
            .finally(on: MainActor.shared) { screen.lines.append("over") }
            .catch(on: MainActor.shared) { error in screen.lines.append("\(error)") }
        #expect(try await end.value == 2)
        #expect(await screen.lines == ["one 1", "two", "over"])
    }

    @Test func `recover to a value and to a promise`() async throws {
        let failed = Promise<Int>.rejected(PromiseError.cycle)
        let value = failed.recover { _ in 1 }
        let promise = failed.recover { error in
            print(error)
            return Promise.fulfilled(2)
        }
        let same = failed.recover(only: PromiseError.cycle) { 3 }
        let typed = failed.recover(only: PromiseError.self) { $0 == .cycle ? 4 : 5 }
        #expect(try await [value.value, promise.value, same.value, typed.value] == [1, 2, 3, 4])
    }
}
