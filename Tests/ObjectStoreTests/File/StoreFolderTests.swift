import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

struct StoreFolderTests {
    @Test func `a second one waits for the first`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a")
        let order = Guarded<[String]>([])
        let first = UncheckedBox<FolderLock?>(FolderLock(around: path))
        let begun = DispatchSemaphore(value: 0)
        try await onOwnThread {
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                begun.signal()
                FolderLock.around(path) { order.withLock { $0.append("second") } }
                done.signal()
            }
            begun.wait()
            order.withLock { $0.append("first") }
            first.value = nil
            #expect(done.wait(timeout: .farAway) == .success)
        }
        #expect(order.withLock(\.self) == ["first", "second"])
    }

    @Test func `where there is no folder there is nothing to wait for`() {
        #expect(FolderLock.around("/nowhere/at/all") { 1 } == 1)
    }
}
