import Larder

private nonisolated enum Fault: Error, Equatable {
    case gone, offline(Int)
}

private nonisolated struct Reply: Sendable { var text: String }

private nonisolated func load(_ number: Int) -> Promise<Int> { .fulfilled(number) }
private nonisolated func answer(to error: any Error) throws -> Int { 0 }
private nonisolated func renew(_ error: any Error) -> Promise<Int> { .fulfilled(0) }
private nonisolated func report(_ error: any Error) {}
private nonisolated func tidy() {}
private nonisolated func wait() async throws -> Int { 1 }

private func recoveries(_ start: Promise<Int>, _ reply: Promise<Reply?>, _ void: Promise<Void>) {
    start.recover { _ in 0 }
    start.recover { _ in load(1) }
    start.recover { _ in .fulfilled(1) }
    start.recover { throw $0 }
    start.recover { try answer(to: $0) }.recover { renew($0) }.then { $0 + 1 }
    start.recover(answer).recover(renew).then { $0 + 1 }
    start.recover(policy: .allErrors) { _ in 0 }.recover(policy: .allErrors, on: .immediate) { _ in
        load(2)
    }
    start.recover(only: Fault.self) { $0 == .gone ? 0 : 1 }
    start.recover(only: Fault.gone) { 0 }.recover(only: Fault.offline(3)) { load(3) }
    start.recover(only: CancellationError.self) { _ in 0 }
    start.recover { error in
        if case Fault.offline(let code) = error { return code }
        throw error
    }
    .then { print($0) }
    start.recover { error in
        report(error)
        return load(1)
    }
    .then { $0 + 1 }
    start.recover { error -> Promise<Int> in
        guard error is Fault else { throw error }
        return load(2)
    }
    start.recover(only: Fault.self) { fault in
        switch fault {
        case .gone: return 0
        case .offline(let code): return code
        }
    }
    start.recover { _ in Promise { try await wait() } }.then { $0 + 1 }
    reply.recover { _ in nil }.then { $0?.text ?? "" }.then { print($0) }
    reply.recover { _ in Reply(text: "none") }.then { print($0 as Any) }
    void.recover { report($0) }.then { tidy() }
    void.recover { error in
        report(error)
        tidy()
    }
    void.recover { _ in }.recover(only: Fault.gone) { tidy() }
}

private func looks(_ start: Promise<Int>, _ void: Promise<Void>) {
    start.catch { print($0) }
    start.catch { _ in }
    start.catch { report($0) }.then { $0 + 1 }
    start.catch(report).catch(policy: .allErrors, report)
    start.catch { throw $0 }
    start.catch { _ in throw Fault.gone }
    start.catch(policy: .allErrors) { print($0) }
    start.catch(policy: .allErrors, on: .immediate) { report($0) }
    start.catch(on: .main) { error in print(error) }
    start.catch(only: Fault.self) { print($0 == .gone) }
    start.catch(only: Fault.gone) { print("gone") }.catch(only: Fault.offline(1)) { tidy() }
    start.catch(only: CancellationError.self) { _ in tidy() }
    start.catch { error in
        guard let fault = error as? Fault else { return }
        print(fault)
        tidy()
    }
    .finally { tidy() }
    start.catch { error in
        switch error {
        case Fault.gone: print("gone")
        case let fault as Fault: print(fault)
        default: throw error
        }
    }
    .then { $0 + 1 }
    void.then { tidy() }.catch { print($0) }.then { load(1) }.catch { print($0) }
}

private func ends(_ start: Promise<Int>, _ void: Promise<Void>) {
    start.finally { print("over") }
    start.finally {}
    start.finally(tidy).then { $0 + 1 }
    start.finally { load(1) }.then { $0 + 1 }
    start.finally { throw Fault.gone }
    start.finally(on: .main) { tidy() }
    start.finally(on: .immediate) { load(2) }.then { print($0) }
    start.finally {
        tidy()
        print("over")
    }
    .then { $0 + 1 }
    start.finally {
        tidy()
        return load(1)
    }
    .then { $0 + 1 }
    start.finally {
        do { _ = try answer(to: Fault.gone) } catch { report(error) }
    }
    start.finally { if true { tidy() } else { print("never") } }
    start.finally { Promise { try await wait() } }.catch { print($0) }.finally { tidy() }
    void.finally { tidy() }.then { load(1) }.finally { tidy() }
}

/// One after the other, whose closures name no type.
private func chains(_ start: Promise<Int>) -> Promise<Int> {
    start.recover { _ in 1 }.then { $0 + 1 }.recover { _ in load(2) }
        .catch { print($0) }.then { load($0) }.finally { tidy() }.recover(only: Fault.gone) { 3 }
        .then { "\($0)" }.recover { _ in "none" }.then { $0.count }.finally { load(1) }
        .catch(only: Fault.self) { print($0) }
}

private func awaited(_ start: Promise<Int>) async throws -> Int {
    let number = start.recover { _ in 1 }.then { load($0) }.catch { print($0) }
    let text = try await number.recover(only: Fault.gone) { 3 }.then { "\($0)" }.value
    return try await chains(start).finally { tidy() }.value + text.count
}

@MainActor
private final class Panel {
    var lines: [String] = []
    var isBusy = false

    func show(_ start: Promise<Int>) {
        start.then(on: MainActor.shared) { self.lines.append("\($0)") }
            .catch(on: MainActor.shared) { [weak self] in self?.lines.append("\($0)") }
            .finally(on: MainActor.shared) { [weak self] in self?.isBusy = false }
        start.recover(on: MainActor.shared) { _ in self.lines.count }.then { print($0) }
        start.recover(on: MainActor.shared) { error in
            self.lines.append("\(error)")
            return self.lines.count
        }
        start.catch(only: Fault.self, on: MainActor.shared) { fault in
            self.lines.append("\(fault)")
            self.isBusy = false
        }
        start.finally(on: MainActor.shared) {
            self.isBusy = false
            self.lines.removeAll()
        }
    }
}
