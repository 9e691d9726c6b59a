extension Promise {
    /// Calls `handler` with the value and returns a promise of what it returns or throws.
    @inlinable
    @discardableResult
    public func then<Output>(
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

    /// Calls `handler` with the value and returns a promise that is fulfilled when it returns.
    @inlinable
    @discardableResult
    public func then(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Value) throws -> Void
    ) -> Promise<Void> {
        call(handler, on: scheduler, site: CreationSite(fileID, line)) { link, value, drain in
            do {
                try link.takeHandler(from: Value.self, to: Void.self)(value)
            } catch {
                return link.reject(error, in: &drain)
            }
            link.fulfill((), in: &drain)
        }
    }

    /// Calls `handler` with the value and returns a promise that settles as the returned one does.
    ///
    /// Cancelling it cancels the promise that the handler returned.
    @inlinable
    @discardableResult
    public func then<Output>(
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
