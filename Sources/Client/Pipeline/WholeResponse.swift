public import Foundation
public import HTTPTypes
public import LarderObjectStore

/// The value that a response became, with its status and its header fields: ``Response``, whatever
/// its value is.
///
/// It lets a ``RespondingEndpoint`` fix a `Response<Value>`; no other type need be one.
public protocol WholeResponse: Sendable {
    /// The type of the value that was asked for.
    associatedtype Value: Sendable

    /// Creates a response.
    init(
        _ value: Value, status: HTTPResponse.Status, headerFields: HTTPFields, url: URL?,
        report: ImportReport)
}

extension Response: WholeResponse {}
