import Foundation
public import LarderObjectStore
public import LarderPromises

extension Client {
    /// Enqueues an endpoint, stores its response, and hands over its status and header fields too.
    public func enqueue<Value: Insertable>(
        _ endpoint: some Endpoint, as type: Response<Value>.Type = Response<Value>.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Response<Value>> {
        perform(
            endpoint, ResponseSerializer<Value>.stored().withResponse(), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint, decodes its response, and hands over its status and header fields too.
    @_disfavoredOverload  // A wrapper is insertable too, and is to be stored.
    public func enqueue<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint, as type: Response<Value>.Type = Response<Value>.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Response<Value>> {
        perform(
            endpoint, ResponseSerializer<Value>.decoded().withResponse(), fileID: fileID, line: line
        )
    }

    /// Enqueues an endpoint, and hands over its response as JSON with status and header fields.
    @_disfavoredOverload  // Where nothing says what the response becomes, it is void.
    public func enqueue(
        _ endpoint: some Endpoint,
        as type: Response<JSONDocument>.Type = Response<JSONDocument>.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Response<JSONDocument>> {
        perform(
            endpoint, ResponseSerializer<JSONDocument>.document().withResponse(), fileID: fileID,
            line: line)
    }

    /// Enqueues an endpoint, and hands over its status and header fields only.
    @_disfavoredOverload  // Where nothing says what the response becomes, it is void.
    public func enqueue(
        _ endpoint: some Endpoint, as type: Response<Void>.Type = Response<Void>.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Response<Void>> {
        perform(
            endpoint, ResponseSerializer<Void>.ignored().withResponse(), fileID: fileID, line: line)
    }
}
