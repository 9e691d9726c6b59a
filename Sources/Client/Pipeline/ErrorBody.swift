public import Foundation
public import HTTPTypes
public import LarderObjectStore

/// The type that an API's error responses have.
///
/// ```swift
/// configuration.errorBody = .json(APIError.self)
///
/// client.enqueue(order).catch { error in
///     guard let error = error as? ClientError, let problem = error.details as? APIError else { return }
///     show(problem.message)
/// }
/// ```
///
/// The content of a response that is refused, whoever refuses it, becomes ``ClientError/details`` where it fits;
/// where it doesn't, such as a proxy's page in HTML, that is nil and ``ClientError/body`` has it all the same.
public struct ErrorBody: Sendable {
    private let decode: @Sendable (Data, HTTPFields, DecodingOptions) throws -> any Sendable

    /// Whether it leaves it to the client.
    let isOfClient: Bool

    /// That of the client's configuration.
    public static let clientDefault = ErrorBody(isOfClient: true) { _, _, _ in () }

    /// Reads JSON as a type, whatever content type it claims.
    ///
    /// - Parameter options: How it is decoded; by the client's ``Client/Configuration/decodingOptions`` unless
    ///   given.
    public static func json<Details: Decodable & Sendable>(
        _ type: Details.Type, options: DecodingOptions? = nil
    ) -> ErrorBody {
        ErrorBody(isOfClient: false) { content, _, clientOptions in
            try JSONDocument(content).root.decode(Details.self, options: options ?? clientOptions)
        }
    }

    /// Creates a type from a closure that reads content, and throws where that is none of it.
    public init(
        _ decode:
            @escaping @Sendable (_ content: Data, _ headerFields: HTTPFields) throws ->
            any Sendable
    ) {
        self.init(isOfClient: false) { content, fields, _ in try decode(content, fields) }
    }

    private init(
        isOfClient: Bool,
        _ decode: @escaping @Sendable (Data, HTTPFields, DecodingOptions) throws -> any Sendable
    ) {
        self.isOfClient = isOfClient
        self.decode = decode
    }

    /// The details of a response that was refused, nil where it has no content; throws where that is none of it.
    func details(
        of content: Data, _ headerFields: HTTPFields, by clientOptions: DecodingOptions
    ) throws -> (any Sendable)? {
        content.isEmpty ? nil : try decode(content, headerFields, clientOptions)
    }
}
