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
