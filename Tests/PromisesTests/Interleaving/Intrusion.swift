#if DEBUG
@testable import LarderPromises

/// Something that another thread does in the middle of some work, tried at every place in turn
/// where it can come between two locked sections.
///
/// The intruder runs to its end on the same thread, as a thread does that is not interrupted
/// itself; so every run is the same as the last.
enum Intrusion {
    /// Calls `body` with an intruder for the first place, the second, and so on up to the one behind
    /// the work, and returns how many places the work has.
    @discardableResult
    static func everywhere(
        _ body: (
            _ intrude: (_ work: () -> Void, _ intruder: @escaping @Sendable () -> Void) -> Void
        )
            -> Void
    ) -> Int {
        for place in 0... {
            let places = Counter()
            body { work, intruder in places.add(at(place, work, intruder)) }
            if places.value <= place { return place }
        }
        return 0
    }

    /// Does some work with an intruder at one place, or behind it where it has fewer, and returns
    /// how many places it has.
    @discardableResult
    static func at(
        _ place: Int, _ work: () -> Void, _ intruder: @escaping @Sendable () -> Void
    ) -> Int {
        let visits = Counter()
        let visit: @Sendable () -> Void = {
            guard visits.add() == place + 1 else { return }
            YieldPoint.$visit.withValue(nil, operation: intruder)
        }
        YieldPoint.$visit.withValue(visit, operation: work)
        if visits.value <= place { intruder() }
        return visits.value
    }
}
#endif
