import LarderClient

extension RequestEvent {
    /// What has happened, in a word.
    var word: String {
        switch kind {
        case .began: "began"
        case .sent: "sent"
        case .redirected: "redirected"
        case .received: "received"
        case .fulfilled: "fulfilled"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
