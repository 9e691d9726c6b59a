import Testing

@testable import LarderPromises

/// What `all`, `any` and `race` have in common.
@Suite(.timeLimit(.minutes(60)))
struct GatheringTests {
    @Test func `lets go of its members once it has settled`() async throws {
        let ends = Log<Int>()
        let (member, resolver) = Promise<Int>.pending()
        let gathering = Gathering<Int>(site: CreationSite())
        do {
            let witness = Witness { ends.add(1) }
            gathering.observe(member) { _, _ in witness.touch() }
        }
        #expect(ends.entries.isEmpty)
        gathering.resolve(with: .success(3))
        #expect(ends.entries == [1])
        #expect(gathering.isOver && member.isPending)
        #expect(try await gathering.promise.value == 3)
        withExtendedLifetime(resolver) {}
    }

    @Test func `a member that comes too late is left alone`() async throws {
        let gathering = Gathering<Int>(site: CreationSite())
        gathering.resolve(with: .success(3))
        let (member, resolver) = Promise<Int>.pending()
        gathering.observe(member) { _, _ in Issue.record("it is over") }
        resolver.fulfill(1)
        #expect(try await member.value == 1)
    }

    @Test func `a member that comes after a cancellation is cancelled`() {
        let gathering = Gathering<Int>(site: CreationSite())
        gathering.promise.cancel()
        let (member, resolver) = Promise<Int>.pending()
        gathering.observe(member) { _, _ in }
        #expect(member.isCancelled && resolver.isCancelled)
    }

    @Test func `only its first outcome counts`() async throws {
        let gathering = Gathering<Int>(site: CreationSite())
        gathering.resolve(with: .success(1))
        gathering.resolve(with: .failure(Sample.first))
        #expect(try await gathering.promise.value == 1)
    }
}

struct SlotsTests {
    @Test func `are full when the last is filled, and in order`() {
        let slots = Slots<String>(count: 3)
        #expect(slots.fill(2, with: "c") == nil)
        #expect(slots.fill(0, with: "a") == nil)
        #expect(slots.fill(1, with: "b") == ["a", "b", "c"])
    }

    @Test func `keep optional values apart from empty places`() {
        let slots = Slots<Int?>(count: 2)
        #expect(slots.fill(0, with: nil) == nil)
        #expect(slots.fill(1, with: 4) == [nil, 4])
    }
}
