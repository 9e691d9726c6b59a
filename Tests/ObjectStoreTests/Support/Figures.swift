import Testing

@testable import LarderObjectStore

/// Numbers in pairs, some of them empty, and a store of them.
struct Figures {
    @Entity("Sample") struct Sample {
        @Identity var id: Int
        var left: Int
        var right: Int
        var first: Int?
        var second: Int?
    }

    let store: Store
    let samples: [Sample]

    init() throws {
        let numbers = [-7, -1, 0, 2, 5]
        let optionals: [Int?] = [nil, -1, 0, 2]
        var samples: [Sample] = []
        for left in numbers {
            for right in numbers {
                for (first, second) in zip(optionals, optionals.reversed()) + [(nil, nil), (2, 2)] {
                    samples.append(
                        Sample(
                            id: samples.count, left: left, right: right, first: first,
                            second: second))
                }
            }
        }
        store = try Store.inMemory(entities: Sample.self)
        try store.save(samples)
        self.samples = samples
    }

    /// Checks that the store finds the samples for which a condition is expected to hold.
    func expect(
        _ condition: (Sample.Columns) -> Condition, _ isExpected: (Sample) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try store.fetch(Sample.where(condition)).map(\.id)
        #expect(
            found == samples.filter(isExpected).map(\.id), sourceLocation: sourceLocation)
    }
}
