import Dispatch

/// What happened, in order, from any thread.
///
/// `@unchecked Sendable`: the entries are only touched on the queue, which sanitizers understand.
final class Log<Entry: Sendable>: @unchecked Sendable {
    private let queue = DispatchQueue(label: "log")
    private var stored: [Entry] = []

    func add(_ entry: Entry) {
        queue.sync { stored.append(entry) }
    }

    var entries: [Entry] { queue.sync { stored } }
    var count: Int { entries.count }
}
