import Larder

private enum Fault: Error, Equatable {
    case gone, offline
}

/// An error that can't be compared.
private struct Odd: Error {}

private func load(_ number: Int) -> Promise<Int> { .fulfilled(number) }
private func name(of number: Int) -> Promise<String> { .fulfilled("\(number)") }
private func wait() async throws -> Int { 1 }
private func upload() async throws {}
private func tidy() throws {}

private func recoveriesOfAnotherType(_ start: Promise<Int>) {
    // error: a handler of 'recover' returns a value of the promise's type, or a promise of one
    start.recover { _ in "none" }
    // error: a handler of 'recover' returns a value of the promise's type, or a promise of one
    start.recover { _ in name(of: 1) }
    // error: a handler of 'recover' returns a value of the promise's type, or a promise of one
    start.recover { _ in [1] }
    // error: 'nil' is not compatible with closure result type 'Int'
    start.recover { _ in nil }
    start.recover { error in
        if error is Fault { return 0 }
        // error: cannot convert value of type 'String' to closure result type 'Int'
        return "none"
    }
}

private func recoveriesOfNothing(_ start: Promise<Int>) {
    // error: to look at the error and no more, write 'catch'
    start.recover { print($0) }
    // error: to look at the error and no more, write 'catch'
    start.recover { error in
        print(error)
    }
    // error: contextual type for closure argument list expects 1 argument
    start.recover { 0 }
}

private func recoveriesOfOneError(_ start: Promise<Int>) {
    // error: the handler takes no error where one is named: write 'recover(only: …) { … }'
    start.recover(only: Fault.gone) { _ in 0 }
    // error: contextual type for closure argument list expects 1 argument
    start.recover(only: Fault.self) { 0 }
    // error: name what is replaced with a label: 'recover(only: …) { … }'
    start.recover(Fault.self) { _ in 0 }
    // error: a policy has a label: 'recover(policy: …) { … }'
    start.recover(.allErrors) { _ in 0 }
    // error: requires that 'Odd' conform to 'Equatable'
    start.recover(only: Odd()) { 0 }
    // error: cannot convert value of type '@Sendable (Fault) -> Step<Int,
    start.recover { (fault: Fault) in fault == .gone ? 0 : 1 }
    // error: value of type 'any Error' has no member 'code'
    start.recover { error in error.code }
}

private func handlersThatAwait(_ start: Promise<Int>) {
    // error: a handler can't await: return a promise of the work, 'Promise { try await … }'
    start.then { _ in try await wait() }
    // error: a handler can't await: return a promise of the work, 'Promise { try await … }'
    start.then { number in
        let next = try await wait()
        return next + number
    }
    .then { print($0) }
    // error: a handler can't await: return a promise of the work, 'Promise { try await … }'
    start.recover { _ in try await wait() }
    // error: a handler can't await: return a promise of the work, 'Promise { try await … }'
    start.recover { error in
        print(error)
        return try await wait()
    }
    // error: a handler can't await: write 'recover', and return 'Promise { try await … }'
    start.catch { _ in try await upload() }
    // error: a handler can't await: write 'recover', and return 'Promise { try await … }'
    start.catch { error in
        print(error)
        try await upload()
    }
    // error: a handler can't await: return a promise of the work, 'Promise { try await … }'
    start.finally { try await upload() }
    // error: a handler can't await: return a promise of the work, 'Promise { try await … }'
    start.finally {
        print("over")
        try await upload()
    }
}

private func looks(_ start: Promise<Int>) {
    // error: contextual type for closure argument list expects 1 argument
    start.catch { print("gone") }
    // error: value of type 'any Error' has no member 'code'
    start.catch { error in print(error.code) }
    // error: cannot convert value of type '@Sendable (Fault) -> ()' to expected argument type
    start.catch { (fault: Fault) in print(fault) }
    // error: contextual type for closure argument list expects 1 argument
    start.catch(only: Fault.self) { print("gone") }
    // error: expects 0 arguments, but 1 was used in closure body
    start.catch(only: Fault.gone) { print($0) }
    // error: requires that 'Odd' conform to 'Equatable'
    start.catch(only: Odd()) { print("odd") }
    // error: name what is caught with a label: 'catch(only: …) { … }'
    start.catch(Fault.self) { print($0) }
    // error: a policy has a label: 'catch(policy: …) { … }'
    start.catch(.allErrors) { print($0) }
    // error: requires that 'String' conform to 'Error'
    start.catch(only: String.self) { print($0) }
    // warning: integer literal is unused
    start.catch { _ in 0 }
}

private func ends(_ start: Promise<Int>) -> Promise<String> {
    // error: a handler of 'finally' takes nothing: 'then' has the value, 'catch' the error
    start.finally { print($0) }
    // error: a handler of 'finally' takes nothing: 'then' has the value, 'catch' the error
    start.finally { _ in print("over") }
    // error: a handler of 'finally' takes nothing: 'then' has the value, 'catch' the error
    start.finally { result in
        switch result {
        case .success(let value): print(value)
        case .failure(let error): print(error)
        }
    }
    // error: call can throw, but it is not marked with 'try'
    start.finally { tidy() }
    start.finally {
        print("over")
        // error: cannot convert value of type 'Int' to closure result type 'Void'
        return 1
    }
    // error: cannot convert return expression of type 'Promise<Int>' to return type
    return start.finally { "over" }
}
