import Dispatch

extension DispatchTime {
    /// When a test gives up waiting for what never comes; on a busy machine what does come may take
    /// minutes.
    static var farAway: DispatchTime { .now() + 3600 }
}
