/// Makes a ``Step`` of a handler that is one expression, of a type that is known.
@resultBuilder
public enum RecoveryBuilder<Output: Sendable> {
    /// Makes a step of a value.
    public static func buildExpression(_ value: Output) -> Step<Output, StepBuilder.Expression> {
        .value(value)
    }

    /// Makes a step of a promise.
    public static func buildExpression(
        _ promise: Promise<Output>
    ) -> Step<Output, StepBuilder.Expression> {
        .promise(promise)
    }

    /// Takes one step and no more.
    public static func buildBlock(
        _ step: Step<Output, StepBuilder.Expression>
    ) -> Step<Output, StepBuilder.Expression> {
        step
    }
}
