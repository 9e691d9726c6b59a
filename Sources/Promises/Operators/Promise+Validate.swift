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
