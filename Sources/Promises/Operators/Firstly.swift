/// Starts a chain with the promise that `body` returns; an error it throws rejects.
///
/// The body runs at once, on the calling thread.
public func firstly<Value>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: () throws -> Promise<Value>
) -> Promise<Value> {
    do {
        return try body()
    } catch {
        return .rejected(error, fileID: fileID, line: line)
    }
}
