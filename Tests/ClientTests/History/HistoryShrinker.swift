import LarderPromises

/// Makes a failing program smaller as long as it still fails.
struct HistoryShrinker {
    private(set) var program: HistoryProgram
    private var budget = 400
    private let fails: (HistoryProgram) async -> Bool

    init(_ program: HistoryProgram, fails: @escaping (HistoryProgram) async -> Bool) {
        (self.program, self.fails) = (program, fails)
    }

    /// Takes away what the failure does not need.
    mutating func shrink() async {
        var isSmaller = true
        while isSmaller, budget > 0 {
            isSmaller = false
            for pass in [Self.fewerSteps, Self.smallerSteps, Self.smallerSetting] {
                var index = 0
                // Where a candidate fails too, those at the same place of the smaller one are next.
                while budget > 0, case let candidates = pass(program), index < candidates.count {
                    budget -= 1
                    if await fails(candidates[index]) {
                        program = candidates[index]
                        isSmaller = true
                    } else {
                        index += 1
                    }
                }
            }
        }
    }

    private static func fewerSteps(_ program: HistoryProgram) -> [HistoryProgram] {
        program.steps.indices.map { index in program.changed { $0.steps.remove(at: index) } }
    }

    private static func smallerSteps(_ program: HistoryProgram) -> [HistoryProgram] {
        program.steps.indices.flatMap { index in
            program.steps[index].smaller.map { step in
                program.changed { $0.steps[index] = step }
            }
        }
    }

    private static func smallerSetting(_ program: HistoryProgram) -> [HistoryProgram] {
        let plain = HistoryProgram()
        let changes: [(inout HistoryProgram) -> Void] = [
            { $0.isFile = false }, { $0.hasCache = false }, { $0.isText = false },
            { $0.isBrief = false }, { $0.tellsTombstones = false }, { $0.serverError = 0 },
            { $0.answersCancelled = false }, { $0.control = plain.control },
            { $0.validator = plain.validator }, { $0.way = plain.way },
        ]
        return
            (changes.map { program.changed($0) }
            + program.objects.keys.sorted().map { number in
                program.changed { $0.objects[number] = nil }
            }).filter { $0 != program }
    }
}

extension HistoryProgram {
    fileprivate func changed(_ change: (inout HistoryProgram) -> Void) -> HistoryProgram {
        var program = self
        change(&program)
        return program
    }
}

extension HistoryStep {
    /// The step with something taken away.
    fileprivate var smaller: [HistoryStep] {
        switch self {
        case .load(let target, let policy, let asking, let isWhole, let fate):
            var smaller: [HistoryStep] = []
            if fate != .good {
                smaller.append(.load(target, policy, asking, isWhole: isWhole, .good))
            }
            if isWhole { smaller.append(.load(target, policy, asking, isWhole: false, fate)) }
            if asking != .asEver {
                smaller.append(.load(target, policy, .asEver, isWhole: isWhole, fate))
            }
            if policy != .none {
                smaller.append(.load(target, .none, asking, isWhole: isWhole, fate))
            }
            return smaller
        case .walk(let walk): return walk.smaller.map { .walk($0) }
        case .patch(let number, let fate): return fate == .good ? [] : [.patch(number, .good)]
        case .remove(let number, let fate): return fate == .good ? [] : [.remove(number, .good)]
        case .edit(let edits) where edits.count > 1:
            return edits.indices.map { index in
                var fewer = edits
                fewer.remove(at: index)
                return .edit(fewer)
            }
        default: return []
        }
    }
}

extension HistoryStep.Walk {
    fileprivate var smaller: [HistoryStep.Walk] {
        var smaller: [HistoryStep.Walk] = []
        func add(_ change: (inout HistoryStep.Walk) -> Void) {
            var walk = self
            change(&walk)
            if walk != self { smaller.append(walk) }
        }
        add { $0.fates = [] }
        add { $0.edits = [] }
        for index in edits.indices {
            for place in edits[index].indices { add { $0.edits[index].remove(at: place) } }
        }
        add { $0.pageLimit = nil }
        add { $0.asking = .asEver }
        add { $0.kind = .pull }
        return smaller
    }
}
