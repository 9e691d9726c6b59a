import LarderPromises
import Testing

/// Closures that touch state of the main actor, without a warning.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct PromiseMainActorTests {
    @MainActor
    private final class Screen {
        var lines: [String] = []
        func show(_ line: String) { lines.append(line) }
    }

    private let screen = Screen()
    private let main = MainActor.shared

    @Test func `then of a value, of nothing and of a promise`() async throws {
        let end = Promise.fulfilled("a")
            .then(on: main) { (text: String) -> Int in
                screen.show(text)
                return screen.lines.count
            }
            .then(on: main) { (count: Int) in
                screen.show("count \(count)")
            }
            .then(on: main) {
                Promise.fulfilled(screen.lines)
            }
        #expect(try await end.value == ["a", "count 1"])
    }

    @Test func `map and flatMap`() async throws {
        let end = Promise.fulfilled("a")
            .map(on: main) { text in
                screen.show(text)
                return screen.lines.count
            }
            .flatMap(on: main) { count in
                screen.show("count \(count)")
                return Promise.fulfilled(screen.lines)
            }
        #expect(try await end.value == ["a", "count 1"])
        let thrown = end.map(on: main) { (_: [String]) -> Int in throw Sample.second }
        #expect(await thrown.failure as? Sample == .second)
    }

    @Test func `catch and finally`() async {
        let end = Promise<Int>.rejected(Sample.first)
            .catch(on: main) { error in screen.show("\(error)") }
            .finally(on: main) { screen.show("over") }
        #expect(await end.failure as? Sample == .first)
        #expect(screen.lines == ["first", "over"])
    }

    @Test func `catch skips cancellations unless asked for`() async {
        let cancelled = Promise<Int>.rejected(CancellationError())
        _ = await cancelled.catch(on: main) { _ in screen.show("default") }.result
        _ = await cancelled.catch(policy: .allErrors, on: main) { _ in screen.show("all") }.result
        #expect(screen.lines == ["all"])
    }

    @Test func `recover`() async throws {
        let end = Promise<String>.rejected(Sample.first).recover(on: main) { _ in
            screen.show("recovered")
            return screen.lines[0]
        }
        #expect(try await end.value == "recovered")
    }

    @Test func `errors of the handlers reject`() async {
        let end = Promise.fulfilled(1).then(on: main) { (_: Int) -> Int in throw Sample.second }
        #expect(await end.failure as? Sample == .second)
        let last = Promise.fulfilled(1).finally(on: main) { throw Sample.first }
        #expect(await last.failure as? Sample == .first)
    }

    @Test func `handlers wait while the main actor is busy`() async throws {
        let end = Promise.fulfilled(1).then(on: main) { (_: Int) in screen.show("handler") }
        screen.show("busy")
        try await end.value
        #expect(screen.lines == ["busy", "handler"])
    }
}
