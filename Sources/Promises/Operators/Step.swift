/// The result of a handler of one expression, as `then` takes it: a value, or a promise of one.
///
/// Never written out: ``StepBuilder`` makes it. `Form` is always ``StepBuilder/Expression``; it is
/// there for the compiler, which explains a mistake by the overload that leaves the fewest types
/// open. In a handler of several statements that is to be the one that takes the handler as it is,
/// not the one that would have made a step of it.
public enum Step<Output: Sendable, Form>: Sendable {
    /// The value of the promise.
    case value(Output)
    /// A promise to settle as.
    case promise(Promise<Output>)
}

/// Makes a ``Step`` of a handler that is one expression.
///
/// The compiler looks at such a handler by itself, and not together with the whole chain, so that
/// long chains need no types. Handlers of several statements, or with a `return`, are left to the
/// overloads of `then` that take them as they are.
@resultBuilder
public enum StepBuilder {
    /// The form of every step.
    public typealias Expression = (Never, Never, Never, Never)

    /// Makes a step of a value.
    @inlinable
    public static func buildExpression<Output>(_ value: Output) -> Step<Output, Expression> {
        .value(value)
    }

    /// Makes a step of a promise.
    @inlinable
    public static func buildExpression<Output>(
        _ promise: Promise<Output>
    ) -> Step<Output, Expression> {
        .promise(promise)
    }

    /// Makes a step of a promise that may be missing, as `self?.save()` is; nil is the value then.
    @inlinable
    public static func buildExpression<Output>(
        _ promise: Promise<Output>?
    ) -> Step<Output?, Expression> {
        guard let promise else { return .value(nil) }
        return .promise(promise.then(on: .immediate) { (value: Output) -> Output? in value })
    }

    /// Takes one step and no more.
    @inlinable
    public static func buildBlock<Output>(
        _ step: Step<Output, Expression>
    ) -> Step<Output, Expression> {
        step
    }

    /// Takes the step of the branch whose condition holds.
    @inlinable
    public static func buildEither<Output>(
        first step: Step<Output, Expression>
    ) -> Step<Output, Expression> {
        step
    }

    /// Takes the step of the branch whose condition does not hold.
    @inlinable
    public static func buildEither<Output>(
        second step: Step<Output, Expression>
    ) -> Step<Output, Expression> {
        step
    }
}

/// A promise, whatever the type of its value, for handlers whose type has to be found out.
public protocol PromiseConvertible<Value>: Sendable {
    /// The value that the promise has, once it is fulfilled.
    associatedtype Value: Sendable

    /// The promise.
    var promise: Promise<Value> { get }
}

extension Promise: PromiseConvertible {
    /// The promise itself.
    public var promise: Promise<Value> { self }
}
