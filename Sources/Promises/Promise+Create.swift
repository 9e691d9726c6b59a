extension Promise {
    /// Creates a pending promise and the resolver that settles it.
    @inlinable
    public static func pending(
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> (promise: Promise<Value>, resolver: Resolver<Value>) {
        let node = Node(site: CreationSite(fileID, line))
        return (Promise(node: node), Resolver(node: node))
    }

    /// Creates a promise that `executor` settles, now or later; an error it throws rejects.
    ///
    /// The executor runs at once, on the calling thread.
    @inlinable
    public init(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ executor: (_ resolver: Resolver<Value>) throws -> Void
    ) {
        let (promise, resolver) = Self.pending(fileID: fileID, line: line)
        do {
            try executor(resolver)
        } catch {
            resolver.reject(error)
        }
        self = promise
    }

    /// Creates a promise of what an asynchronous operation returns or throws.
    ///
    /// The operation runs in a task of its own, which is cancelled with the promise.
    public init(
        priority: TaskPriority? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> Value
    ) {
        let (promise, resolver) = Self.pending(fileID: fileID, line: line)
        let task = YieldPoint.task(priority: priority) {
            do {
                resolver.fulfill(try await operation())
            } catch {
                resolver.reject(error)
            }
        }
        resolver.onCancel { task.cancel() }
        self = promise
    }

    /// Returns a promise that has a value already.
    @inlinable
    public static func fulfilled(_ value: Value) -> Promise<Value> {
        let node = Node(settledAs: .fulfilled, site: CreationSite())
        node.put(value)
        return Promise(node: node)
    }

    /// Returns a promise that has an error already.
    @inlinable
    public static func rejected(
        _ error: any Error, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        let node = Node(settledAs: .rejected, site: CreationSite(fileID, line))
        node.error = error
        return Promise(node: node)
    }
}

extension Promise where Value == Void {
    /// Returns a fulfilled promise without a value.
    @inlinable
    public static func fulfilled() -> Promise<Void> {
        .fulfilled(())
    }
}
