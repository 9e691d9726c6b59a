import Larder

private nonisolated struct Name: Sendable { var text: String }

private nonisolated func find(_ number: Int) -> Promise<Int> { .fulfilled(number) }
private nonisolated func name(of number: Int) -> Promise<Name> {
    .fulfilled(Name(text: "\(number)"))
}
private nonisolated func double(_ number: Int) -> Int { number * 2 }
private nonisolated func check() throws {}

/// Links whose closures name no type.
private func tenLinks(_ start: Promise<Int>, by step: Int) {
    start.then { $0 + step }.then { $0 + step }.then { find($0) }.then { $0 * 2 }
        .then { find($0) }.then { double($0) }.then { $0 + step }.then { $0 + step }
        .then { find($0) }.then { $0 + step }.then { print($0) }.catch { print($0) }
}

private func tenSums(_ start: Promise<Int>, by step: Int) {
    start.then { $0 + step }.then { $0 + step }.then { $0 + step }.then { $0 * 2 }
        .then { $0 - step }.then { double($0) }.then { $0 + step }.then { $0 + step }
        .then { $0 + step + 1 }.then { "\($0 + step)" }.then { print($0) }.catch { _ in }
}

private func tenOperators(_ start: Promise<Int>) {
    start.then { $0 + 1 }.then { find($0) }.recover { _ in 2 }.then { $0 * 2 }
        .finally { print("over") }.then { find($0 + 1) }.validate { $0 > 1 }.tap { print($0) }
        .recover { _ in find(2) }.then { $0 + 1 }.then { "\($0)" }.then { print($0) }
        .catch { print($0) }.finally { print("over") }
}

/// Names of one reading, where a chain of `then`s is beyond what the compiler tries.
private func tenLinksOfAsync(_ start: Promise<Int>, by step: Int) async throws -> Int {
    try await start.map { $0 + step }.map { $0 + step }.flatMap { find($0) }.map { $0 * 2 }
        .flatMap { name(of: $0) }.map { $0.text.count }
        .map { count in
            let next = count + step
            return next * 2
        }
        .flatMap { number in
            print(number)
            return find(number)
        }
        .map { $0 + step }.flatMap { .fulfilled($0) }.map { double($0) }.map { $0 + step }.value
}

private func fourLinksOfAsync(_ start: Promise<Int>, by step: Int) async throws -> Int {
    try await start.then { $0 + step }.then { find($0) }.then { double($0) }.then { $0 * 2 }.value
}

/// Closures of several statements, followed by links without a type.
private func statements(_ start: Promise<Int>) {
    start.then { number in
        let next = number + 1
        return name(of: next)
    }
    .then { $0.text.count }
    .then { print($0) }

    start.then { number in
        if number > 3 { return "many" }
        return "few"
    }
    .then { print($0.count) }

    start.then { number in
        guard number > 3 else { throw PromiseError.invalid }
        do { try check() } catch { print(error) }
        print(number)
    }
    .then { print("checked") }

    start.then { number -> Promise<Name> in
        let next = number + 1
        return name(of: next)
    }
    .then { name in print(name.text) }

    start.recover { error in
        print(error)
        return find(2)
    }
    .then { $0 + 1 }
    .then { print($0) }
}

/// What a handler may be.
private func forms(_ start: Promise<Int>) -> [any Sendable] {
    let nothing: Promise<Void> = start.then { _ in }
    let thrown: Promise<Int> = start.then { _ in throw PromiseError.invalid }
    let rethrown: Promise<Int> = start.recover { throw $0 }
    let branches: Promise<String> = start.then { if $0 > 2 { "many" } else { "few" } }
    let optional: Promise<Int?> = start.then { $0 }
    let missing: Promise<Int?> = start.then { _ in nil }
    let literal: Promise<Double> = start.then { _ in 1 }
    let member: Promise<Int> = start.then { .fulfilled($0) }
    let list: Promise<[Int]> = start.then { [$0] }
    let functions = start.then(double).then(find).then { $0 + 1 }
    return [
        nothing, thrown, rethrown, branches, optional, missing, literal, member, list, functions,
    ]
}

private func combinations(_ first: Promise<Int>, _ second: Promise<Int>) {
    Promise.race(first, second).then { $0 + 1 }.then { print($0) }
    Promise.race([first, second]).then { $0 + 1 }.then { print($0) }
    Promise.any(first, second).then { $0 + 1 }.then { print($0) }
    Promise.allSettled(first, second).then { $0.count }.then { print($0) }
    Promise.all(first, second).then { $0 + $1 }.then { print($0) }
    Promise.retry { find(1) }.then { $0 + 1 }.then { print($0) }
    Promise.retry(attempts: 2) { attempt in find(attempt) }.then { $0 + 1 }.then { print($0) }
    first.then { [$0] }.mapElements { $0 + 1 }.then { $0.count }.then { print($0) }
}

@MainActor
private final class Screen {
    var lines: [String] = []

    func load() -> Promise<Int> { .fulfilled(1) }

    func everyOperator(_ start: Promise<Int>, _ list: Promise<[Int]>) {
        start.then(on: MainActor.shared) { self.lines.append("\($0)") }
            .then(on: MainActor.shared) { self.load() }
            .then(on: MainActor.shared) { $0 + self.lines.count }
            .tap(on: MainActor.shared) { self.lines.append("\($0)") }
            .validate(on: MainActor.shared) { $0 > self.lines.count }
            .finally(on: MainActor.shared) { self.lines.append("over") }
            .finally(on: MainActor.shared) { self.load() }
            .catch(on: MainActor.shared) { self.lines.append("\($0)") }
            .then { $0 + 1 }
        start.then(on: MainActor.shared) { number in
            self.lines.append("\(number)")
            return self.load()
        }
        .then { $0 + 1 }
        start.then(on: MainActor.shared) { _ in self.load() }
            .then(on: MainActor.shared) { $0 + self.lines.count }
            .tap(on: MainActor.shared) { self.lines.append("\($0)") }
            .validate(on: MainActor.shared) { $0 > self.lines.count }
            .finally(on: MainActor.shared) { self.lines.append("over") }
            .recover(on: MainActor.shared) { _ in self.load() }
            .then(on: MainActor.shared) { $0 + 1 }
            .recover(on: MainActor.shared) { _ in self.lines.count }
            .finally(on: MainActor.shared) { self.load() }
            .then(on: MainActor.shared) { _ in self.load() }
            .then(on: MainActor.shared) { $0 + self.lines.count }
            .tap(on: MainActor.shared) { self.lines.append("\($0)") }
            .validate(on: MainActor.shared) { $0 > self.lines.count }
            .recover(on: MainActor.shared) { _ in self.load() }
            .then(on: MainActor.shared) { "\($0)" }
            .then(on: MainActor.shared) { self.lines.append($0) }
            .catch(on: MainActor.shared) { self.lines.append("\($0)") }
        start.catch(only: PromiseError.self, on: MainActor.shared) { self.lines.append("\($0)") }
            .catch(only: PromiseError.invalid, on: MainActor.shared) { self.lines.append("") }
        start.recover(on: MainActor.shared) { _ in self.load() }.then { $0 + 1 }
        start.recover(on: MainActor.shared) { _ in self.lines.count }.then { $0 + 1 }
        start.recover(only: PromiseError.self, on: MainActor.shared) { _ in self.load() }
        start.recover(only: PromiseError.self, on: MainActor.shared) { _ in self.lines.count }
        start.recover(only: PromiseError.invalid, on: MainActor.shared) { self.load() }
        start.recover(only: PromiseError.invalid, on: MainActor.shared) { self.lines.count }
        list.mapElements(on: MainActor.shared) { $0 + self.lines.count }.then { $0.count }
    }
}

/// Promises of an object that may be gone.
private nonisolated final class Leaving: Sendable {
    func save(_ number: Int) -> Promise<Int> { .fulfilled(number) }
    func show(_ number: Int) {}
    func look(_ number: Int) -> Int { number }

    func load(_ start: Promise<Int>) {
        let saved: Promise<Int?> = start.then { [weak self] in self?.save($0) }
        let looked: Promise<Int?> = start.then { [weak self] in self?.look($0) }
        let shown: Promise<Void?> = start.then { [weak self] in self?.show($0) }
        let nothing: Promise<Int?> = start.then { _ in nil }
        _ = (saved, looked, shown, nothing)
        start.then { [weak self] in self?.save($0) }.then { ($0 ?? 0) + 1 }
            .finally { [weak self] in self?.save(1) }
            .finally { [weak self] in self?.show(1) }
            .then { [weak self] in self?.show($0) }
            .catch { print($0) }
        start.then(on: MainActor.shared) { [weak self] in self?.save($0) }
            .then(on: MainActor.shared) { ($0 ?? 0) + 1 }
            .finally(on: MainActor.shared) { [weak self] in self?.save(1) }
            .then { "\($0)" }
    }
}
