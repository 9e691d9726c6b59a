/// Random programs, the same for the same seed.
struct HistoryPrograms {
    private var random: SplitMix
    private var program = HistoryProgram()
    /// What is asked for again and again.
    private var targets: [HistoryStep.Target] = []

    private init(seed: UInt64) { random = SplitMix(seed: seed) }

    static func program(seed: UInt64) -> HistoryProgram {
        var programs = HistoryPrograms(seed: seed)
        programs.makeSetting()
        if programs.chance(50) { programs.add(.walk(.init())) }
        let count = programs.number(4...11)
        while programs.program.steps.count < count {
            // What seldom comes to be by itself.
            let isTheme = programs.chance(15)
            let steps = isTheme ? programs.theme() : [programs.step()]
            steps.forEach { programs.add($0) }
        }
        return programs.program
    }

    // MARK: Choices

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0...elements.count - 1)]
    }

    private mutating func add(_ step: HistoryStep) { program.steps.append(step) }

    private mutating func object() -> Int { number(1...6) }
    private mutating func folder() -> Int { number(1...2) }

    // MARK: The setting

    private mutating func makeSetting() {
        program.way = pick(HistoryProgram.Way.allCases + [.cursor, .cursor])
        program.pageSize = number(1...4)
        program.isBrief = chance(25)
        program.tellsTombstones = chance(25)
        program.validator = pick(HistoryProgram.Validator.allCases)
        program.control = pick(HistoryProgram.Control.allCases)
        program.hasCache = chance(40)
        program.isText = chance(40)
        program.isFile = chance(3)
        for _ in 0..<number(1...3) {
            let target = anyTarget()
            targets.append(target)
        }
        if chance(30) { program.serverError = pick([-3600, -7, 7, 3600]) }
        program.answersCancelled = chance(40)
        for _ in 0..<number(0...7) { program.objects[object()] = folder() }
    }

    // MARK: Steps

    private mutating func step() -> HistoryStep {
        switch number(0...99) {
        case 0..<30:
            return .load(target(), policy(), asking(), isWhole: chance(50), fate())
        case 30..<49: return .walk(walk())
        case 49..<53: return .patch(object(), fate())
        case 53..<57: return .remove(object(), fate())
        case 57..<68: return .edit(edits(1...3))
        case 68..<71: return .network(isUp: false)
        case 71..<74: return .network(isUp: true)
        case 74..<81: return .release(number(0...3))
        case 81..<83: return .cancel(number(0...3))
        case 83..<85: return .passDeadline
        case 85: return .jump(pick([-7200, -20, -4, 4, 20, 7200]))
        case 86..<88: return .pass(pick([3, 20, 60]))
        case 88..<91: return .invalidate(scope())
        case 91: return .flush
        case 92: return .evict(number(1...20))
        case 93: return .deleteAll
        case 94..<96: return .logOut
        case 96: return program.isFile ? .reopen : .edit(edits(1...1))
        case 97: return .expireTokens
        default: return .forgetPlaces
        }
    }

    /// Some steps that go together, perhaps with others between them.
    private mutating func theme() -> [HistoryStep] {
        let target = target()
        let good = HistoryStep.load(target, .networkFirst, .asEver, isWhole: chance(50), .good)
        let held = held(isMadeAtOnce: chance(70))
        var steps: [HistoryStep]
        switch number(0...10) {
        case 0:
            // What is answered by the store, and comes when somebody else is there.
            let slow = HistoryStep.load(
                target, .networkFirstWithin, .asEver, isWhole: chance(50), held)
            steps = [good, slow, .passDeadline, chance(70) ? .logOut : .deleteAll, .release(0)]
        case 1:
            // What was made before a change, and comes behind it.
            let slow = HistoryStep.load(target, policy(), .asEver, isWhole: chance(70), held)
            steps = [good, slow, .edit(edits(1...2)), good, .release(0)]
        case 2:
            // A pull that is cut off, and goes on.
            var walk = HistoryStep.Walk(kind: pick([.checkpoint, .token]))
            steps = [.walk(.init()), .edit([.delete(object())] + edits(1...2)), .walk(walk)]
            if chance(50) { steps.insert(.edit(edits(1...2)), at: 2) }
            walk.fates = Array(repeating: .good, count: number(1...2)) + [.lost]
            steps.insert(.walk(walk), at: 2)
        case 3:
            // What is asked about, once some of it is gone.
            let loss: HistoryStep = pick([.deleteAll, .evict(number(1...8)), .edit(edits(1...1))])
            steps = [good, loss, good]
        case 4:
            // A cache has what was there before.
            steps = [good, .edit(edits(1...2)), .pass(3), good, .remove(object(), .good), good]
        case 5:
            // A list that is made before something new comes.
            let slow = HistoryStep.load(.all, .none, .asEver, isWhole: true, held)
            steps = [slow, .edit([.put(object(), folder: folder())]), good, .release(0)]
        case 6:
            // What is made invalid while it is on its way.
            let slow = HistoryStep.load(target, .networkFirst, .asEver, isWhole: false, held)
            let fast = HistoryStep.load(
                target, pick([.storeFirst, .fresh]), .asEver, isWhole: false, .good)
            steps = [slow, .invalidate(chance(50) ? .target(target) : .type), .release(0), fast]
        case 7:
            // What is not there, and comes again.
            let number = object()
            let one = HistoryStep.load(.one(number), .networkFirst, .asEver, isWhole: false, .good)
            let own = HistoryStep.load(
                .one(number), pick([.storeOnly, .networkOnly]), .asEver, isWhole: false, .good)
            let list = HistoryStep.load(.all, .networkFirst, .asEver, isWhole: false, .good)
            let put = HistoryStep.edit([.put(number, folder: folder())])
            steps = [put, one, .edit([.delete(number)]), one, put, list, own]
        case 8:
            // What something older writes over that comes late, while the server says it is still good.
            let number = object()
            let slow = HistoryStep.load(.one(number), policy(), .asEver, isWhole: false, held)
            steps = [
                .edit([.put(number, folder: folder())]), slow, .edit([.title(number)]), good,
                .release(0), good,
            ]
        case 9:
            // What goes, and is there again, while what was made in between is on its way.
            let number = object()
            let put = HistoryStep.edit([.put(number, folder: folder())])
            let all = HistoryStep.load(.all, .none, .asEver, isWhole: false, .good)
            let slow = HistoryStep.load(
                chance(50) ? .one(number) : .all, .none, .asEver, isWhole: true, held)
            let loss: HistoryStep = chance(70) ? .remove(number, .good) : .deleteAll
            steps = [put, all, .edit([.delete(number)]), slow, loss, put, all, .release(0)]
        default:
            let walk = HistoryStep.Walk(
                fates: Array(repeating: .good, count: number(0...2)) + [held])
            steps = [.walk(walk), chance(50) ? .logOut : .edit(edits(1...2)), .release(0)]
        }
        if chance(40) { steps.insert(step(), at: number(0...steps.count)) }
        return steps
    }

    private mutating func target() -> HistoryStep.Target {
        chance(80) ? pick(targets) : anyTarget()
    }

    private mutating func anyTarget() -> HistoryStep.Target {
        switch number(0...9) {
        case 0..<3: .one(object())
        case 3..<6: .all
        case 6..<8: .folder(folder())
        default: .feed
        }
    }

    private mutating func policy() -> HistoryStep.Policy {
        pick(HistoryStep.Policy.allCases + [.networkFirst, .networkFirstWithin])
    }

    private mutating func asking() -> HistoryStep.Asking {
        guard program.hasCache else { return .asEver }
        return pick([.asEver, .asEver, .asEver, .reload, .cachedOnly])
    }

    private mutating func fate() -> HistoryStep.Fate {
        switch number(0...99) {
        case 0..<54: .good
        case 54..<58: .refused
        case 58..<62: .lost
        case 62..<64: .truncated
        case 64..<67: .halved
        case 67..<70: .portal
        case 70..<75: .status(pick([500, 502, 503, 504, 401, 403, 429]))
        case 75..<79: .old
        case 79..<92: held(isMadeAtOnce: true)
        default: held(isMadeAtOnce: false)
        }
    }

    /// What is asked for by a cache behind nobody's back could be held for ever.
    private func held(isMadeAtOnce: Bool) -> HistoryStep.Fate {
        program.hasCache && program.control == .freshAndStale
            ? .good : .held(isMadeAtOnce: isMadeAtOnce)
    }

    private mutating func walk() -> HistoryStep.Walk {
        var walk = HistoryStep.Walk()
        walk.kind = pick(HistoryStep.Walk.Kind.allCases + [.pull, .token])
        walk.isWhole = chance(80)
        if chance(35) {
            walk.fates = Array(repeating: .good, count: number(0...4)) + [fate()]
        }
        if chance(45) {
            walk.edits = (0..<number(1...5)).map { _ in chance(60) ? edits(1...2) : [] }
        }
        if walk.kind == .pages, chance(20) { walk.pageLimit = number(1...3) }
        walk.asking = asking()
        walk.isOfStore = chance(4)
        return walk
    }

    private mutating func edits(_ count: ClosedRange<Int>) -> [HistoryStep.Edit] {
        (0..<number(count)).map { _ in
            switch number(0...9) {
            case 0, 1: .put(object(), folder: folder())
            case 2...4: .title(object())
            case 5: .body(object())
            case 6: .move(object(), folder: folder())
            default: .delete(object())
            }
        }
    }

    private mutating func scope() -> HistoryStep.Scope {
        switch number(0...3) {
        case 0: .type
        case 1: .tag
        default: .target(target())
        }
    }
}
