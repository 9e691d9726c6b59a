/// Who waits and who is under way, of a queue with limits in all and for each host.
///
/// Those who wait are in one heap for all hosts, but for those that have found their host full, who are in
/// one of their host's. Where a host has room, as many of its best as it has room for are in the first one, so
/// that the best of that one whose host is not full is the best of all. What has left or got another
/// rank stays in its heap until it is come upon, or until half of what is there is such.
struct Turns {
    private struct Place {
        var order: TurnOrder
        var host: String
        var isUnderWay = false
    }

    private struct Entry: Comparable {
        let order: TurnOrder
        let place: Int

        static func < (left: Entry, right: Entry) -> Bool {
            left.order == right.order ? left.place < right.place : left.order < right.order
        }
    }

    private struct Host {
        var underWay = 0
        var waiting = Heap<Entry>()
    }

    private let limit: Int
    private let hostLimit: Int
    private var places: [Int: Place] = [:]
    private var waiting = Heap<Entry>()
    private var hosts: [String: Host] = [:]
    /// The number of entries in all heaps.
    private(set) var entryCount = 0
    private(set) var underWayCount = 0

    init(limit: Int, hostLimit: Int) {
        self.limit = limit
        self.hostLimit = hostLimit
    }

    var waitingCount: Int { places.count - underWayCount }

    /// The number of hosts that something is known of.
    var hostCount: Int { hosts.count }

    func isUnderWay(_ place: Int) -> Bool { places[place]?.isUnderWay == true }

    func isWaiting(_ place: Int) -> Bool { places[place]?.isUnderWay == false }

    /// Adds one who waits.
    mutating func add(_ place: Int, for host: String, _ order: TurnOrder) {
        places[place] = Place(order: order, host: host)
        insert(place, for: host, order)
    }

    /// Returns the next whose turn it is, who is under way from now on; nil where none is.
    mutating func next() -> Int? {
        while underWayCount < limit, let entry = waiting.popMin() {
            guard let place = standing(entry) else {
                entryCount -= 1
                continue
            }
            guard hosts[place.host, default: Host()].underWay < hostLimit else {
                hosts[place.host, default: Host()].waiting.insert(entry)
                continue
            }
            entryCount -= 1
            begin(entry.place, for: place.host)
            return entry.place
        }
        return nil
    }

    /// Takes one who is under way to another host; false where it has to wait there.
    mutating func move(_ place: Int, to host: String) -> Bool {
        guard let old = places[place], old.isUnderWay, old.host != host else { return true }
        end(place, for: old.host)
        places[place]?.host = host
        // As one step, so that the room that it has itself is not given to another.
        if hosts[host, default: Host()].underWay < hostLimit {
            begin(place, for: host)
            return true
        }
        insert(place, for: host, old.order)
        return false
    }

    /// Gives one who waits a better rank.
    mutating func raise(_ place: Int, to order: TurnOrder) {
        guard let old = places[place], order < old.order else { return }
        places[place]?.order = order
        if !old.isUnderWay { insert(place, for: old.host, order) }
        sweep()
    }

    /// Takes out one; whether it was there.
    @discardableResult
    mutating func remove(_ place: Int) -> Bool {
        guard let old = places[place] else { return false }
        if old.isUnderWay { end(place, for: old.host) } else { admitOne(of: old.host) }
        places[place] = nil
        sweep()
        return true
    }

    private mutating func begin(_ place: Int, for host: String) {
        places[place]?.isUnderWay = true
        hosts[host, default: Host()].underWay += 1
        underWayCount += 1
    }

    private mutating func end(_ place: Int, for host: String) {
        places[place]?.isUnderWay = false
        underWayCount -= 1
        hosts[host]?.underWay -= 1
        admitOne(of: host)
    }

    private mutating func insert(_ place: Int, for host: String, _ order: TurnOrder) {
        let entry = Entry(order: order, place: place)
        entryCount += 1
        if let known = hosts[host], known.underWay >= hostLimit {
            hosts[host]?.waiting.insert(entry)
        } else {
            waiting.insert(entry)
        }
    }

    /// Lets the best that waits for a host wait for a turn of all.
    private mutating func admitOne(of host: String) {
        while let entry = hosts[host]?.waiting.popMin() {
            if standing(entry) != nil {
                waiting.insert(entry)
                break
            }
            entryCount -= 1
        }
        if let known = hosts[host], known.underWay == 0, known.waiting.isEmpty { hosts[host] = nil }
    }

    /// The place of an entry; nil where that has left, is under way or has another rank.
    private func standing(_ entry: Entry) -> Place? {
        guard let place = places[entry.place], !place.isUnderWay, place.order == entry.order else {
            return nil
        }
        return place
    }

    /// Now and then, so that a turn costs the same however many have left.
    private mutating func sweep() {
        guard entryCount > 64, entryCount > 2 * waitingCount else { return }
        var count = 0
        let fits = { (entry: Entry) in
            let fits = self.standing(entry) != nil
            if fits { count += 1 }
            return fits
        }
        var (all, hosts) = (waiting, hosts)
        all.filter(fits)
        for name in hosts.keys { hosts[name]?.waiting.filter(fits) }
        (waiting, entryCount) = (all, count)
        self.hosts = hosts.filter { $0.value.underWay > 0 || !$0.value.waiting.isEmpty }
    }
}
