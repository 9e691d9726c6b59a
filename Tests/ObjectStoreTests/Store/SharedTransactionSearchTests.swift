import Foundation
import Testing

@testable import LarderObjectStore

/// The search index of what shares a transaction.
struct SharedTransactionSearchTests {
    private struct GivenUp: Error {}

    @Test func `shared imports with a search index`() throws {
        for seed in 0..<40 {
            var random = SplitMix64(seed: UInt64(seed))
            let (one, two) = try (Magazine.fixture(), Magazine.fixture())
            for _ in 0..<4 {
                let parts: [(String, Bool)] = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    let articles = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        let id = Int.random(in: 1...6, using: &random)
                        let word = ["crash", "cafe", "zeta"].randomElement(using: &random)!
                        return
                            #"{"id": \#(id), "title": "\#(word) \#(Int.random(in: 0..<9, using: &random))", "text": "some \#(word)", "columnist": {"name": "\#(word)"}}"#
                    }
                    return ("[\(articles.joined(separator: ","))]", Bool.random(using: &random))
                }
                for (json, refused) in parts {
                    _ = try? two.store.import(
                        [Article].self, from: JSONDocument(json).root, willWait: { _ in },
                        options: DecodingOptions(), isCancelled: { false },
                        willCommit: { if refused { throw GivenUp() } })
                }
                try one.store.sharingTransaction(willWait: { _ in }) { shared in
                    for (json, refused) in parts {
                        _ = try? shared.import(
                            [Article].self, from: JSONDocument(json).root,
                            options: DecodingOptions(), isCancelled: { false },
                            willCommit: { if refused { throw GivenUp() } })
                    }
                }
                for word in ["crash", "cafe", "zeta", "some"] {
                    let found = try Magazine.found(Article.matching(word), in: one.store)
                    let other = try Magazine.found(Article.matching(word), in: two.store)
                    #expect(Set(found) == Set(other), "seed \(seed)")
                }
                #expect(try one.store.checkIntegrity().isSound)
            }
        }
    }
}
