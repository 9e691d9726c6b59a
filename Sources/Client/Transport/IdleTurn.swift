import Dispatch
import LarderPromises

/// The work that a transport's thread takes over from whoever it tells of a response, as it has nothing else to do.
///
/// To wake another thread takes longer than to store most responses. What is left here is done once everybody
/// has been told, by that thread or by another one.
final class IdleTurn: Sendable {
    typealias Work = @Sendable () -> Void

    private let works = Guarded<[Work]>([])

    @TaskLocal private static var local: IdleTurn?

    /// Runs a body that tells of responses, outside of tasks, and returns the work that is left by it.
    static func collecting(_ body: () -> Void) -> [Work] {
        let turn = IdleTurn()
        $local.withValue(turn, operation: body)
        return turn.works.withLock { $0 }
    }

    /// Leaves work to the calling thread; false where that has other things to do.
    static func leave(_ work: @escaping Work) -> Bool {
        // Tasks that were begun in the body have the value of theirs, on other threads and for longer.
        guard let turn = local, withUnsafeCurrentTask(body: { $0 == nil }) else { return false }
        turn.works.withLock { $0.append(work) }
        return true
    }

    /// Has work done by another thread.
    static func hand(_ work: @escaping Work) {
        // A queue of its own, as others may be held by what they do.
        DispatchQueue(label: "larder.client.work", qos: .userInitiated).async(execute: work)
    }
}
