public import Foundation

/// A download or an upload that an earlier run of the app has begun, and that has ended now.
public struct BackgroundTransfer: Sendable {
    /// The URL that was asked.
    public let url: String

    /// The file that a download was for, which is there where it has come whole; nil for an upload.
    public let file: URL?

    /// The response, whatever its status, or the error that there was none for, or that its content could not be
    /// written for.
    public let result: Result<TransportResponse, any Error>
}
