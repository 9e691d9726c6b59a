import Testing

@testable import LarderObjectStore

struct LockWaitTests {
    private static let millisecond: UInt64 = 1_000_000

    @Test func `goes on until its time is over since the lock was first looked for`() {
        let wait = LockWait(limit: 5)
        for start in [0, 7 * Self.millisecond, 900 * Self.millisecond] {
            #expect(wait.goesOn(after: 0, at: start))
            #expect(wait.goesOn(after: 1, at: start + Self.millisecond))
            #expect(wait.goesOn(after: 400, at: start + 5 * Self.millisecond - 1))
            #expect(!wait.goesOn(after: 401, at: start + 5 * Self.millisecond))
        }
    }

    @Test func `what a statement does between two waits is no waiting`() {
        let wait = LockWait(limit: 5)
        #expect(wait.goesOn(after: 0, at: 0))
        #expect(wait.goesOn(after: 1, at: 4 * Self.millisecond))
        #expect(wait.goesOn(after: 2, at: 10_000 * Self.millisecond))
        #expect(wait.goesOn(after: 3, at: 10_000 * Self.millisecond + Self.millisecond / 2))
        #expect(!wait.goesOn(after: 4, at: 10_001 * Self.millisecond))
    }

    @Test(arguments: [0, -1, .min] as [Int32])
    func `without time there is no wait`(_ limit: Int32) {
        #expect(!LockWait(limit: limit).goesOn(after: 0, at: 1))
    }

    @Test func `a connection waits as long as it was told last`() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try folder.open("a"), try folder.open("a", busyTimeout: 600_000))
        try first.transaction("BEGIN IMMEDIATE") {
            second.lockWait.limit = 1
            let error = #expect(throws: StoreError.self) {
                try second.transaction("BEGIN IMMEDIATE") {}
            }
            #expect(error?.reason == .busy)
        }
        try second.transaction("BEGIN IMMEDIATE") {}
    }
}
