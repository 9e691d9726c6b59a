extension OracleProgram {
    /// A program without threads.
    init(seed: UInt64, places: [Place]) {
        var composer = Composer(seed: seed, places: places)
        self.seed = seed
        actions = [composer.source()]
        for _ in 0..<Int.random(in: 3...14, using: &composer.random) {
            actions.append(composer.action())
        }
    }

    /// A small program with threads that act on what has been made before.
    init(seed: UInt64, threads count: Int) {
        var composer = Composer(seed: seed, places: [.immediate, .immediate, .manual])
        self.seed = seed
        actions = [composer.source(), composer.source()]
        for _ in 0..<Int.random(in: 2...5, using: &composer.random) {
            actions.append(composer.making())
        }
        let shared = composer
        for _ in 0..<count {
            // Names of its own, and of what was there before.
            composer.known = shared.known
            composer.sources = shared.sources
            let length = Int.random(in: 1...2, using: &composer.random)
            threads.append((0..<length).map { _ in composer.threadAction() })
        }
    }

    /// Makes up actions.
    private struct Composer {
        var random: SplitMix
        let places: [Place]
        var known: [Int] = []
        var sources: [Int] = []
        var count = 0

        init(seed: UInt64, places: [Place]) {
            random = SplitMix(state: seed)
            self.places = places
        }

        private mutating func name() -> Int {
            defer { count += 1 }
            known.append(count)
            return count
        }

        mutating func source() -> Action {
            let id = name()
            sources.append(id)
            return .make(id, .source)
        }

        mutating func making() -> Action {
            let operation = operation()
            return .make(name(), operation)
        }

        mutating func action() -> Action {
            let source = sources.randomElement(using: &random) ?? 0
            let any = any()
            switch Int.random(in: 0..<18, using: &random) {
            case 0, 1: return .fulfill(source)
            case 2: return .reject(source)
            case 3: return Bool.random(using: &random) ? .abandon(source) : .cancel(source)
            case 4, 5, 6: return .cancel(any)
            case 7: return .run
            case 8: return Bool.random(using: &random) ? .run : .discard
            case 9: return .advance(Int.random(in: 1...3, using: &random))
            case 10: return self.source()
            default: return making()
            }
        }

        /// Whether there is a clock: what it wakes is deterministic where nothing has its own thread.
        private var hasClock: Bool {
            #if DEBUG
            !places.contains(.standard)
            #else
            false
            #endif
        }

        /// Whether tasks await promises: where they run on threads of their own, nothing says when.
        private var hasTasks: Bool {
            #if DEBUG
            true
            #else
            false
            #endif
        }

        /// Settles or cancels more often than not, as that is what comes in the middle of things.
        mutating func threadAction() -> Action {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1, 2: .fulfill(sources.randomElement(using: &random) ?? 0)
            case 3, 4, 5, 6: .cancel(any())
            default: action()
            }
        }

        private mutating func any() -> Int {
            known.randomElement(using: &random) ?? 0
        }

        private mutating func reply() -> Reply {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: .failure
            case 1, 2: .value
            default: .promise(any())
            }
        }

        private mutating func replies() -> [Reply] {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in reply() }
        }

        private mutating func operation() -> Operation {
            // Late promises more often than others, so that chains get long.
            let parent = max(any(), any())
            let place = places.randomElement(using: &random) ?? .immediate
            switch Int.random(in: 0..<25, using: &random) {
            case 0, 1, 2: return .then(parent, place, reply())
            case 3, 4:
                return .recover(parent, place, everything: .random(using: &random), reply())
            case 5:
                return .catch(
                    parent, place, everything: .random(using: &random),
                    fails: .random(using: &random))
            case 6, 7: return .finally(parent, place, reply())
            case 8: return .tap(parent, place)
            case 9: return .validate(parent, place, passes: .random(using: &random))
            case 10, 11, 12:
                let members = (0..<Int.random(in: 0...3, using: &random)).map { _ in any() }
                return .gather(Gather.allCases.randomElement(using: &random) ?? .all, members)
            case 13: return .shielded(parent)
            case 23: return .branch(parent)
            case 14 where hasClock:
                return .timeout(parent, after: Int.random(in: 1...3, using: &random))
            case 15 where hasClock: return .delay(parent, by: Int.random(in: 1...3, using: &random))
            case 16:
                let limit = Int.random(in: 1...2, using: &random)
                return .limited(place, limit: limit, replies())
            case 17: return .reduce(place, replies())
            case 18: return .asVoid(parent)
            case 19: return .mapElements(parent, place, passes: .random(using: &random))
            case 20: return .firstly(reply())
            case 21 where hasTasks, 22 where hasTasks: return .task(parent)
            default:
                let pause = hasClock ? Int.random(in: 0...2, using: &random) : 0
                return .retry(place, replies(), pause: pause)
            }
        }
    }
}
