import LarderObjectStore
import LarderPromises
import LarderTesting

extension Store {
    /// Runs a body while a transaction has the store, for which whoever else writes waits.
    func whileItIsHeld<Result>(_ body: () async throws -> Result) async throws -> Result {
        let (isHeld, isDone) = (Gate(), Gate())
        let write = Promise<Void> {
            try await self.write { _ in
                isHeld.open()
                try isDone.block()
            }
        }
        try await isHeld.wait()
        let result = try await body()
        isDone.open()
        try await write.value
        return result
    }
}
