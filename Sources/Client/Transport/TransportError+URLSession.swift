#if canImport(Darwin)
import Foundation

extension TransportError {
    /// Translates URLSession's error.
    init(_ error: NSError) {
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
                NSURLErrorServerCertificateNotYetValid, NSURLErrorClientCertificateRejected:
                .secureConnectionFailed
            case NSURLErrorNetworkConnectionLost: .connectionLost
            case NSURLErrorBadServerResponse, NSURLErrorCannotParseResponse,
                NSURLErrorCannotDecodeContentData, NSURLErrorCannotDecodeRawData:
                .malformedResponse
            case NSURLErrorDataLengthExceedsMaximum: .limitExceeded
            default: .other
            }
        self.init(reason, error.localizedDescription, code: error.code)
    }
}
#endif
