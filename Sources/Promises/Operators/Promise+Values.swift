extension Promise {
    /// Passes on a value for which `isValid` holds, and rejects others.
    ///
    /// The error is ``PromiseError/invalid``, or what `isValid` throws.
    public func validate(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ isValid: @escaping @Sendable (Value) throws -> Bool
    ) -> Promise<Value> {
        then(on: scheduler, fileID: fileID, line: line) { value -> Value in
            guard try isValid(value) else { throw PromiseError.invalid }
            return value
        }
    }
}

extension Promise {
    /// Shows the outcome, cancellation included, to `handler` and passes it on unchanged.
    @discardableResult
    public func tap(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Promise<Value> {
        link(on: scheduler, site: CreationSite(fileID, line)) { link, input, drain in
            if !link.isDiscarded { handler(input) }
            link.forward(input, isHandled: link.upstreamIsHandled, in: &drain)
        }
    }
}

extension Promise {
    /// Passes on that there is a value, without it.
    public func asVoid() -> Promise<Void> {
        link(on: .immediate, site: node.site) { link, input, drain in
            link.forward(input.map { _ in }, isHandled: link.upstreamIsHandled, in: &drain)
        }
    }
}

extension Promise where Value: Sequence {
    /// Applies `transform` to every element of the value.
    public func mapElements<Element>(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @Sendable (Value.Element) throws -> Element
    ) -> Promise<[Element]> {
        then(on: scheduler, fileID: fileID, line: line) { value -> [Element] in
            try value.map(transform)
        }
    }
}

extension Promise {
    /// Combines items one after the other, each step waiting for the promise of the one before.
    public static func reduce<Items: Sequence>(
        _ items: Items, from initial: Value,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ combine: @escaping @Sendable (Value, Items.Element) throws -> Promise<Value>
    ) -> Promise<Value> where Items.Element: Sendable {
        var promise = Promise.fulfilled(initial)
        for item in items {
            promise = promise.then(on: scheduler, fileID: fileID, line: line) { value in
                try combine(value, item)
            }
        }
        return promise
    }
}

/// Starts a chain with the promise that `body` returns; an error it throws rejects.
///
/// The body runs at once, on the calling thread.
public func firstly<Value>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: () throws -> Promise<Value>
) -> Promise<Value> {
    do {
        return try body()
    } catch {
        return .rejected(error, fileID: fileID, line: line)
    }
}
