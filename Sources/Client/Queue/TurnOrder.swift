/// A request's rank among those that wait: the higher priority first, then who came first.
struct TurnOrder: Comparable {
    let priority: RequestPriority
    let arrival: Int

    /// Whether the left one goes first.
    static func < (left: TurnOrder, right: TurnOrder) -> Bool {
        (right.priority, left.arrival) < (left.priority, right.arrival)
    }
}
