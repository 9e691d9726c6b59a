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

extension Node {
    /// The outcome, or `nil` while it is not decided.
    @inlinable
    @inline(__always)
    func outcome<Value>(as type: Value.Type) -> Result<Value, any Error>? {
        let status = self.status
        if status.contains(.cancelled) { return .failure(CancellationError()) }
        guard status.contains(.settled) else { return nil }
        if let error { return .failure(error) }
        return .success(content(as: type))
    }

    /// The outcome that a running node has to work on.
    @inlinable
    @inline(__always)
    func input<Value>(as type: Value.Type) -> Result<Value, any Error> {
        let status = self.status
        guard status.isDisjoint(with: [.cancelled, .discarded]) else {
            return .failure(
                status.contains(.cancelled) ? CancellationError() : PromiseError.abandoned)
        }
        return upstream?.outcome(as: type) ?? .failure(PromiseError.abandoned)
    }

    @inlinable
    @inline(__always)
    func fulfill<Value>(_ value: consuming Value, in drain: inout Drain) {
        put(value)
        finish(as: .fulfilled, in: &drain)
    }

    /// Rejects; `isHandled` tells whether a handler has seen the error.
    @inlinable
    func reject(_ error: any Error, isHandled: Bool = false, in drain: inout Drain) {
        self.error = error
        finish(as: isHandled ? [.rejected, .handled] : .rejected, in: &drain)
    }

    /// Rejects with an error that came from above.
    @inlinable
    func pass(_ error: any Error, in drain: inout Drain) {
        reject(error, isHandled: upstreamIsHandled, in: &drain)
    }

    /// Settles with an outcome that came from above.
    @inlinable
    func forward<Value>(
        _ outcome: Result<Value, any Error>, isHandled: Bool, in drain: inout Drain
    ) {
        switch outcome {
        case .success(let value): fulfill(value, in: &drain)
        case .failure(let error): reject(error, isHandled: isHandled, in: &drain)
        }
    }

    /// Whether a handler has seen the error that comes from above.
    @inlinable
    var upstreamIsHandled: Bool { upstream?.status.contains(.handled) ?? false }

    /// Settles as `inner`, of the same type, settles, and is cancelled together with it.
    @inlinable
    func adopt<Value: Sendable>(_ inner: Promise<Value>, in drain: inout Drain) {
        let inner = inner.node
        let innerStatus = inner.status
        if innerStatus.contains(.settled), !innerStatus.contains(.rejected) {
            return fulfill(inner.content(as: Value.self), in: &drain)
        }
        follow(inner, shielded: false, in: &drain) { node, drain in
            let outcome = node.input(as: Value.self)
            node.forward(outcome, isHandled: node.upstreamIsHandled, in: &drain)
        }
    }
}
