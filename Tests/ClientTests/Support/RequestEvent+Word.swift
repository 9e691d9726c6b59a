import LarderClient

extension RequestEvent {
    /// What has happened, in a word.
    var word: String {
        switch kind {
        case .began: "began"
        case .built: "built"
        case .sent: "sent"
        case .queued: "queued"
        case .redirected: "redirected"
        case .received: "received"
        case .validated: "validated"
        case .parsed: "parsed"
        case .stored: "stored"
        case .fulfilled: "fulfilled"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
