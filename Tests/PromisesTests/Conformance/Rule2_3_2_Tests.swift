import LarderPromises
import Testing

/// The ways a promise comes to adopt another.
private enum Adoption: CaseIterable {
    case then
    case resolver

    func adopt(_ inner: Promise<Int>) -> Promise<Int> {
        switch self {
        case .then: Promise.fulfilled().then { inner }
        case .resolver: Promise { $0.resolve(with: inner) }
        }
    }
}

/// Sees that `outer` settles as the promise that `side` describes.
private func expect(_ outer: Promise<Int>, settlesAs side: Settlement) async throws {
    switch side {
    case .fulfilled:
        let value = try await outer.value
        #expect(value == Settlement.value)
    case .rejected: #expect(await outer.failure as? Sample == Settlement.error)
    }
}

@Suite("2.3.2: a promise resolved with a promise adopts its state", .timeLimit(.minutes(60)))
struct Rule2_3_2_Tests {
    static var rows: [Row] {
        Adoption.allCases.map { adoption in
            Row("pending, by \(adoption)") {
                let (inner, resolver) = Promise<Int>.pending()
                let outer = adoption.adopt(inner)
                await drained()
                #expect(outer.isPending)
                withExtendedLifetime(resolver) {}
            }
        }
            + pairs(Adoption.allCases, pairs(Settlement.allCases, [Moment.already, .eventually]))
            .map {
                adoption, state in
                Row("\(state.0) \(state.1), by \(adoption)") {
                    let outers = Log<Promise<Int>>()
                    await settle(state.0, state.1) { inner, _ in outers.add(adoption.adopt(inner)) }
                    try await expect(outers.entries[0], settlesAs: state.0)
                }
            }
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}

@Suite("2.3.3.3.1: a promise of a promise of a promise is flattened", .timeLimit(.minutes(60)))
struct Rule2_3_3_3_1_Tests {
    static var rows: [Row] {
        pairs([2, 3], pairs(Settlement.allCases, [Moment.already, .eventually])).map {
            depth, state in
            Row("\(state.0) \(state.1), \(depth) deep") {
                let outers = Log<Promise<Int>>()
                await settle(state.0, state.1) { inner, _ in
                    var outer = inner
                    for _ in 0..<depth {
                        let nested = outer
                        outer = Promise.fulfilled().then { nested }
                    }
                    outers.add(outer)
                }
                try await expect(outers.entries[0], settlesAs: state.0)
            }
        }
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}

@Suite(
    "2.3.3.3.2: a rejected inner promise hands its reason on unchanged", .timeLimit(.minutes(60)))
struct Rule2_3_3_3_2_Tests {
    static var rows: [Row] {
        Adoption.allCases.map { adoption in
            Row("by \(adoption)") {
                let outer = adoption.adopt(.rejected(Detailed(detail: "unchanged")))
                #expect(await outer.failure as? Detailed == Detailed(detail: "unchanged"))
            }
        }
    }

    @Test(arguments: rows) func `holds`(row: Row) async throws { try await row.check() }
}
