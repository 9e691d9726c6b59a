import Foundation
public import LarderObjectStore
public import LarderPromises

extension Client {
    /// Enqueues an endpoint and stores its response.
    public func enqueue<Value: Insertable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        perform(endpoint, .stored(), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint and decodes its response; nothing is stored.
    ///
    /// `Data` and `String` are the content as it is, whatever it holds.
    @_disfavoredOverload  // A wrapper is insertable too, and is to be stored.
    public func enqueue<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        perform(endpoint, .decoded(), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint and hands over its response as JSON; nothing is stored.
    @_disfavoredOverload  // Where nothing says what the response becomes, it is void.
    public func enqueue(
        _ endpoint: some Endpoint, as type: JSONDocument.Type = JSONDocument.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<JSONDocument> {
        perform(endpoint, .document(), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint whose response matters by its status only, which is so wherever nothing
    /// says what the response becomes.
    ///
    /// It may be empty; content that claims to be JSON, or claims nothing, has to be JSON.
    @discardableResult
    public func enqueue(
        _ endpoint: some Endpoint, as type: Void.Type = Void.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Void> {
        perform(endpoint, .ignored(), fileID: fileID, line: line)
    }
}
