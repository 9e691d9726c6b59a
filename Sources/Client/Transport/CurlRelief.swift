#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// The call by which a transport's thread that stands by is asked to take over, now or in a moment.
///
/// A timer of the system's: to set it wakes nobody, and costs a fraction of that.
final class CurlRelief: Sendable {
    /// The time for which code of the app's may hold up what it has left for the transport itself.
    static let patience = Duration.milliseconds(1)

    private let descriptor: CInt

    /// Creates a call; nil where the process has no descriptors left.
    init?() {
        descriptor = larder_timer_create()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Calls the thread that stands by, which comes at once or after ``patience``; a later call counts instead.
    func call(_ urgency: Urgency) {
        larder_timer_set(descriptor, urgency == .now ? 1 : 1_000_000)
    }

    /// Waits for a call.
    func wait() { larder_timer_wait(descriptor) }

    enum Urgency {
        case now
        case soon
    }
}
#endif
