public import Foundation
import HTTPTypes
public import LarderClient
public import LarderPromises

/// An interceptor that answers with files named after the endpoints' types: `Users.json` for `Users`.
///
/// ```swift
/// let fixtures = Bundle.module.bundleURL.appending(path: "Fixtures")
/// configuration.interceptors = [FixtureInterceptor(in: fixtures)]
/// ```
///
/// Endpoints without a file of theirs are sent on their way. The content type is that of JSON.
public struct FixtureInterceptor: Interceptor {
    private let folder: URL
    private let fileExtension: String

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - folder: The folder that the files are in.
    ///   - fileExtension: How their names end.
    public init(in folder: URL, fileExtension: String = "json") {
        self.folder = folder
        self.fileExtension = fileExtension
    }

    /// Answers with the endpoint's file, where there is one; rejects where it can't be read.
    public func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        let file = folder.appending(path: "\(type(of: endpoint)).\(fileExtension)")
        guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
            return next(request)
        }
        do {
            return .fulfilled(
                TransportResponse(
                    head: HTTPResponse(
                        status: .ok, headerFields: [.contentType: "application/json"]),
                    body: try Data(contentsOf: file)))
        } catch {
            return .rejected(error)
        }
    }
}
