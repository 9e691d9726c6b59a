#if canImport(Darwin) || LARDER_URLSESSION
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Translates URLSession's error.
    ///
    /// - Parameter isInContent: Whether the head of the response had come.
    init(_ error: NSError, isInContent: Bool = false) {
        guard error.domain == NSURLErrorDomain else {
            self.init(.other, error.localizedDescription, code: error.code)
            return
        }
        let reason: Reason =
            switch error.code {
            case NSURLErrorCancelled: .cancelled
            case NSURLErrorTimedOut: .timedOut
            case NSURLErrorBadURL, NSURLErrorUnsupportedURL: .invalidRequest
            case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: .cannotFindHost
            case NSURLErrorCannotConnectToHost, NSURLErrorNotConnectedToInternet: .cannotConnect
            case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateUntrusted,
                NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateHasUnknownRoot,
                NSURLErrorServerCertificateNotYetValid:
                .secureConnectionFailed
            case NSURLErrorClientCertificateRejected, NSURLErrorClientCertificateRequired:
                .clientCertificateRefused
            case NSURLErrorNetworkConnectionLost: isInContent ? .truncatedBody : .connectionLost
            case NSURLErrorBadServerResponse, NSURLErrorCannotParseResponse,
                NSURLErrorCannotDecodeContentData, NSURLErrorCannotDecodeRawData:
                .malformedResponse
            case NSURLErrorDataLengthExceedsMaximum: .limitExceeded
            default: .other
            }
        let message =
            switch reason {
            case .truncatedBody: "The content ended before its declared end."
            case .cancelled: "The exchange was cancelled."
            default: error.localizedDescription
            }
        self.init(reason, message, code: reason == .cancelled ? nil : error.code)
    }
}
#endif
