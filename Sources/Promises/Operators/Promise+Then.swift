extension Promise {
    /// Calls `handler` with the value and returns a promise of its result.
    ///
    /// The result is a value, or another promise, which the returned one settles as; cancelling that
    /// cancels the other one. An error that the handler throws rejects.
    @inlinable
    @discardableResult
    public func then<Output, A, B, C, D>(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        @StepBuilder _ handler: @escaping @Sendable (Value) throws -> Step<Output, (A, B, C, D)>
    ) -> Promise<Output> {
        take(handler, on: scheduler, site: CreationSite(fileID, line))
    }

    /// Calls a handler of several statements with the value and returns a promise of its result.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func then<Output>(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Value) throws -> Output
    ) -> Promise<Output> {
        map(on: scheduler, fileID: fileID, line: line, handler)
    }

    /// Calls a handler of several statements with the value, and is fulfilled when it returns.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func then(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Value) throws -> Void
    ) -> Promise<Void> {
        map(on: scheduler, fileID: fileID, line: line, handler)
    }

    /// Calls a handler of several statements and settles as the promise that it returns.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func then<Output>(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Value) throws -> Promise<Output>
    ) -> Promise<Output> {
        flatMap(on: scheduler, fileID: fileID, line: line, handler)
    }

    /// Calls `handler` with the value and returns a promise of its result, as `then` does.
    ///
    /// The name has one reading, so that the compiler takes chains of any length and closures of any
    /// number of statements at once, also in an `async` function. A promise that the handler returns is
    /// not waited for: `flatMap` does.
    @inlinable
    @discardableResult
    public func map<Output>(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Value) throws -> Output
    ) -> Promise<Output> {
        call(handler, on: scheduler, site: CreationSite(fileID, line)) { link, value, drain in
            let output: Output
            do {
                output = try link.takeHandler(from: Value.self, to: Output.self)(value)
            } catch {
                return link.reject(error, in: &drain)
            }
            link.fulfill(output, in: &drain)
        }
    }

    /// Calls `handler` with the value and settles as the promise that it returns, as `then` does.
    ///
    /// The name has one reading, as `map` has.
    @inlinable
    @discardableResult
    public func flatMap<Output>(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Value) throws -> Promise<Output>
    ) -> Promise<Output> {
        call(handler, on: scheduler, site: CreationSite(fileID, line)) { link, value, drain in
            let inner: Promise<Output>
            do {
                inner = try link.takeHandler(from: Value.self, to: Promise<Output>.self)(value)
            } catch {
                return link.reject(error, in: &drain)
            }
            link.adopt(inner, in: &drain)
        }
    }

    /// Attaches a promise that takes the step which `handler` returns.
    @inlinable
    @inline(__always)
    func take<Output, Form>(
        _ handler: @escaping @Sendable (Value) throws -> Step<Output, Form>,
        on scheduler: Scheduler, site: CreationSite
    ) -> Promise<Output> {
        call(handler, on: scheduler, site: site) { link, value, drain in
            let step: Step<Output, Form>
            do {
                step = try link.takeHandler(
                    from: Value.self, to: Step<Output, Form>.self)(value)
            } catch {
                return link.reject(error, in: &drain)
            }
            switch step {
            case .value(let output): link.fulfill(output, in: &drain)
            case .promise(let inner): link.adopt(inner, in: &drain)
            }
        }
    }

    /// Attaches a promise that keeps `handler` in its node until `body` takes it out.
    ///
    /// `body` captures nothing, so that a link is one allocation.
    @inlinable
    @inline(__always)
    func call<Result, Output>(
        _ handler: @escaping @Sendable (Value) throws -> Result,
        on scheduler: Scheduler, site: CreationSite,
        body: @escaping (Node, Value, inout Drain) -> Void
    ) -> Promise<Output> {
        let link = Node(upstream: node, target: scheduler.target, site: site) { link, drain in
            switch link.input(as: Value.self) {
            case .success(let value):
                body(link, value, &drain)
            case .failure(let error):
                link.clear()
                link.pass(error, in: &drain)
            }
        }
        link.put(Handler(call: handler))
        node.attach(link)
        return Promise<Output>(node: link)
    }
}

/// A handler as it lies in a node.
@usableFromInline
struct Handler<Input, Output> {
    @usableFromInline let call: @Sendable (Input) throws -> Output

    @inlinable
    init(call: @escaping @Sendable (Input) throws -> Output) {
        self.call = call
    }
}

extension Node {
    /// Takes the handler out of the node, which is room for the value then.
    @inlinable
    @inline(__always)
    func takeHandler<Input, Output>(
        from input: Input.Type, to output: Output.Type
    ) throws -> @Sendable (Input) throws -> Output {
        guard clearRoom != nil else { throw PromiseError.abandoned }
        clearRoom = nil
        return withRoom { $0.assumingMemoryBound(to: Handler<Input, Output>.self).move().call }
    }
}
