@testable import LarderObjectStore

/// A model and what is done to a store of it.
struct OracleProgram {
    var entities: [EntityDescription]
    var evictions: [Eviction] = []
    /// Whether SQLite does not look up what documents link.
    var isUnchecked = false
    /// The ways around the store that imports take.
    var shortcuts = MapperShortcuts.all
    /// How many bytes an array of a document may have before it is read in parts; nil where none is.
    var longArray: Int?
    /// Whether objects must keep a rule.
    var hasRules = false
    var steps: [OracleStep]

    /// The model; nil where the descriptions don't fit together.
    var model: Model? { model(of: entities) }

    /// The model of other descriptions, in place of the first ones.
    func model(of entities: [EntityDescription]) -> Model? {
        try? Model(
            name: "Oracle", entities: hasRules ? OracleSlots.withRules(entities) : entities)
    }

    /// Whether its store must have a file.
    var needsFile: Bool {
        steps.contains { step in
            switch step {
            case .reopen, .migrate: true
            default: false
            }
        }
    }
}

/// What running a program has shown.
enum OracleOutcome {
    case agreement
    case disagreement(step: Int, String)
}
