#if !canImport(Darwin)
/// The exchanges that wait for their turn, in the order they came.
///
/// None is kept once it has had its turn or been taken out, however long others wait.
struct CurlBacklog {
    /// Nil up to `next`, and where one has been taken out.
    private var exchanges: [CurlExchange?] = []
    private var next = 0
    /// The number of waiting exchanges.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The number of places taken up, those of exchanges that have gone among them.
    var placeCount: Int { exchanges.count }

    mutating func append(_ exchange: CurlExchange) {
        exchange.stage = .waiting(place: exchanges.count)
        exchanges.append(exchange)
        count += 1
    }

    mutating func popFirst() -> CurlExchange? {
        while next < exchanges.count {
            next += 1
            guard let exchange = exchanges[next - 1] else { continue }
            remove(at: next - 1)
            return exchange
        }
        return nil
    }

    /// Takes out the exchange that has a place.
    mutating func remove(at place: Int) {
        exchanges[place] = nil
        count -= 1
        // Now and then, so that a turn costs the same however many wait.
        guard count == 0 || exchanges.count > 64 && exchanges.count > 2 * count else { return }
        let rest = exchanges[next...]
        exchanges = []
        next = 0
        count = 0
        for case let exchange? in rest { append(exchange) }
    }
}
#endif
