import LarderPromises
import Testing

@testable import LarderClient
@testable import LarderObjectStore

/// The order of what waits to be stored.
@Suite struct ImportPlacesTests {
    private struct Job: ImportJob {
        let number: Int
        var size = 1
        var needsOwnTransaction = false

        var keepsake: any Sendable { () }

        func beginTurn() {}
        func endTurn() {}
        func onCancel(_ giveUp: @escaping @Sendable () -> Void) {}
        func store(isCommitted: Bool, leaving handlers: inout ReadyHandlers) {}

        func store(in transaction: SharedTransaction) -> SharedImport {
            SharedImport(isCommitted: true) { _ in }
        }
    }

    private func numbers(of jobs: [any ImportJob]) -> [Int] {
        jobs.compactMap { ($0 as? Job)?.number }
    }

    @Test func `what waits behind a kept place is stored after what fills it`() {
        var places = ImportPlaces()
        let first = places.keep()
        places.add(Job(number: 2))
        #expect(places.next(at: .zero) == .wait(until: ImportPlaces.patience))
        // One timer is enough.
        places.add(Job(number: 3))
        #expect(places.next(at: .zero) == nil)
        places.fill(first, with: Job(number: 1))
        #expect(places.next(at: .zero) == .work)
        #expect(numbers(of: places.takeNext()) == [1, 2, 3])
        #expect(places.takeNext().isEmpty)
        #expect(places.next(at: .zero) == nil)
    }

    @Test func `nobody waits for a place that is given up`() {
        var places = ImportPlaces()
        let (first, second) = (places.keep(), places.keep())
        places.add(Job(number: 3))
        places.leave(second)
        #expect(places.next(at: .zero) == .wait(until: ImportPlaces.patience))
        places.leave(first)
        #expect(places.next(at: .zero) == .work)
        #expect(numbers(of: places.takeNext()) == [3])
        // It is no place any more, which whoever is behind would lose.
        places.add(Job(number: 4))
        places.leave(first)
        #expect(numbers(of: places.takeNext()) == [4])
    }

    @Test func `each first place is waited for so long, and what fills it then is stored last`() {
        var places = ImportPlaces()
        let (first, second) = (places.keep(), places.keep())
        // However long it has been there before somebody waits.
        #expect(places.next(at: .seconds(100)) == nil)
        places.add(Job(number: 3))
        let end = .seconds(200) + ImportPlaces.patience
        #expect(places.next(at: .seconds(200)) == .wait(until: end))
        places.expire(at: end - .milliseconds(1))
        #expect(places.next(at: end - .milliseconds(1)) == .wait(until: end))
        places.expire(at: end)
        #expect(places.next(at: end) == .wait(until: end + ImportPlaces.patience))
        places.fill(first, with: Job(number: 1))
        places.fill(second, with: Job(number: 2))
        #expect(places.next(at: end) == .work)
        #expect(numbers(of: places.takeNext()) == [2, 3, 1])
    }

    @Test func `a timer that was started for another place ends none before its time`() {
        var places = ImportPlaces()
        let (first, second) = (places.keep(), places.keep())
        places.add(Job(number: 3))
        #expect(places.next(at: .zero) == .wait(until: ImportPlaces.patience))
        places.leave(first)
        #expect(places.next(at: .milliseconds(500)) == nil)
        places.expire(at: ImportPlaces.patience)
        #expect(
            places.next(at: ImportPlaces.patience)
                == .wait(until: .milliseconds(500) + ImportPlaces.patience))
        places.fill(second, with: Job(number: 2))
        #expect(places.next(at: ImportPlaces.patience) == .work)
        #expect(numbers(of: places.takeNext()) == [2, 3])
    }

    @Test func `a place that nobody waits behind is kept for as long as it takes`() {
        var places = ImportPlaces()
        let first = places.keep()
        #expect(places.next(at: .zero) == nil)
        places.fill(first, with: Job(number: 1))
        #expect(places.next(at: .zero) == .work)
        #expect(numbers(of: places.takeNext()) == [1])
    }

    /// Beside a list of numbers that is searched from the front.
    @Test(arguments: 0..<200)
    func `whatever comes, it is taken out in the order of the places`(_ seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var places = ImportPlaces()
        // What is there, in order, and whether its response has been read.
        var line: [(number: Int, isRead: Bool)] = []
        var kept: [(number: Int, place: Int)] = []
        var (count, isWorking, now) = (0, false, Duration.zero)
        // Which place is waited for, and since when.
        var held: (number: Int, since: Duration)?
        for _ in 0..<60 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                count += 1
                places.add(Job(number: count))
                line.append((count, true))
            case 1:
                count += 1
                kept.append((count, places.keep()))
                line.append((count, false))
            case 2 where !kept.isEmpty:
                let (number, place) = kept.remove(
                    at: Int.random(in: kept.indices, using: &random))
                places.fill(place, with: Job(number: number))
                if let index = line.firstIndex(where: { $0.number == number }) {
                    line[index].isRead = true
                } else {
                    line.append((number, true))
                }
            case 3 where !kept.isEmpty:
                let (number, place) = kept.remove(
                    at: Int.random(in: kept.indices, using: &random))
                places.leave(place)
                line.removeAll { $0.number == number }
            case 4:
                now += .milliseconds(Int.random(in: 0..<700, using: &random))
                places.expire(at: now)
                if let first = line.first, let held, held.number == first.number, !first.isRead,
                    held.since + ImportPlaces.patience <= now
                {
                    line.removeFirst()
                }
            default:
                let taken = numbers(of: places.takeNext())
                let ready = line.prefix(ImportLine.maximumShares).prefix(while: \.isRead)
                #expect(taken == ready.map(\.number), "seed \(seed)")
                line.removeFirst(ready.count)
                isWorking = !ready.isEmpty
            }
            // Somebody stores whatever can be stored.
            let next = places.next(at: now)
            if !isWorking, let first = line.first, !first.isRead, line.contains(where: \.isRead),
                held?.number != first.number
            {
                held = (first.number, now)
            }
            switch next {
            case .work:
                #expect(!isWorking && line.first?.isRead == true, "seed \(seed)")
                isWorking = true
            case .wait:
                #expect(!isWorking && line.first?.isRead == false, "seed \(seed)")
            case nil:
                #expect(isWorking || line.first?.isRead != true, "seed \(seed)")
            }
        }
    }
}
