/// A result on its way from one promise to another.
struct Outcome<Value: Sendable>: Sendable {
    let result: Result<Value, any Error>
    /// Whether a handler has seen the error.
    var isHandled = false

    var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    static func success(_ value: Value) -> Outcome {
        Outcome(result: .success(value))
    }

    static func failure(_ error: any Error, isHandled: Bool = false) -> Outcome {
        Outcome(result: .failure(error), isHandled: isHandled)
    }
}
