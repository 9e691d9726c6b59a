import Dispatch
import Foundation
import LarderPromises
import Testing

/// Cancels random members of random chains at random moments.
///
/// Each chain grows from one source by links, branches, inner promises and combinators. After the
/// cancellation every source is settled as well, so that whatever was spared comes to its end.
@Suite(.timeLimit(.minutes(60)))
struct CancellationStressTests {
    private static let factor =
        ProcessInfo.processInfo.environment["LARDER_STRESS"].flatMap(Int.init) ?? 1

    /// What a chain leaves behind.
    private final class Books: Sendable {
        let started = Counter()
        let stopped = Counter()
        let finished = Counter()
        let settled = Counter()
        /// The threads that settle sources.
        let others = DispatchGroup()
    }

    @Test func `thirty thousand cancellations`() async {
        let rounds = 30_000 * Self.factor
        let books = Books()
        var made = 0
        var generator = SplitMix(state: 42)
        for first in stride(from: 0, to: rounds, by: 500) {
            var members: [Promise<Int>] = []
            for _ in first..<min(first + 500, rounds) {
                members += await oneRound(&generator, books: books)
            }
            made += members.count
            for member in members { _ = await member.result }
        }
        // Sources that nobody waits for any more may be settled last.
        await withCheckedContinuation { continuation in
            books.others.notify(queue: .global()) { continuation.resume() }
        }
        await drained()
        #expect(books.settled.value == made)
        #expect(books.started.value == books.stopped.value + books.finished.value)
    }

    /// Builds a chain, cancels one member while another thread settles the sources.
    private func oneRound(_ generator: inout SplitMix, books: Books) async -> [Promise<Int>] {
        var sources: [Resolver<Int>] = []
        var members = [source(&sources, books: books)]
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let parent = members[Int.random(in: 0..<members.count, using: &generator)]
            members.append(link(parent, &sources, &generator, books: books))
        }
        for member in members { member.finally(on: .immediate) { books.settled.add(1) } }
        let victim = members[Int.random(in: 0..<members.count, using: &generator)]
        let resolvers = sources
        if Bool.random(using: &generator) {
            settle(resolvers, books: books)
            victim.cancel()
        } else {
            victim.cancel()
            settle(resolvers, books: books)
        }
        return members
    }

    private func settle(_ resolvers: [Resolver<Int>], books: Books) {
        DispatchQueue.global().async(group: books.others) {
            for resolver in resolvers { resolver.fulfill(1) }
        }
    }

    /// Work that is counted when it starts, and when it is stopped or finished.
    private func source(_ sources: inout [Resolver<Int>], books: Books) -> Promise<Int> {
        let (promise, resolver) = Promise<Int>.pending()
        books.started.add(1)
        promise.tap(on: .immediate) { result in
            if case .failure(is CancellationError) = result {
                books.stopped.add(1)
            } else {
                books.finished.add(1)
            }
        }
        sources.append(resolver)
        return promise
    }

    private func link(
        _ parent: Promise<Int>, _ sources: inout [Resolver<Int>], _ generator: inout SplitMix,
        books: Books
    ) -> Promise<Int> {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: return parent.then { $0 + 1 }
        case 1: return parent.then(on: .immediate) { $0 + 1 }
        case 2: return parent.finally {}
        case 3: return parent.recover { _ in 0 }
        case 4:
            let inner = source(&sources, books: books)
            return parent.then { _ in inner }
        case 5: return Promise.race([parent, source(&sources, books: books)])
        default:
            return Promise.all([parent, source(&sources, books: books)]).then { $0[0] }
        }
    }
}
