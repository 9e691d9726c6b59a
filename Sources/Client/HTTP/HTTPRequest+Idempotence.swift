import HTTPTypes

extension HTTPRequest.Method {
    /// Whether a request sent twice does what it does sent once (RFC 9110, section 9.2.2).
    var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, .trace: true
        default: false
        }
    }
}
