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
