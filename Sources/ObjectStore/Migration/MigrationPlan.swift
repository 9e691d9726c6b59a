/// The steps and possible losses of a migration, worked out from the two models alone.
public struct MigrationPlan: Hashable, Sendable {
    /// The steps, entity by entity.
    public let steps: [MigrationStep]
    /// The losses that are possible; which occur, and how great, depends on what the store holds.
    public let possibleLosses: [MigrationLoss]

    /// Compares two models.
    public init(from old: Model, to new: Model) {
        self.init(ModelMapping(from: old, to: new))
    }

    init(_ mapping: ModelMapping) {
        var planner = MigrationPlanner(mapping)
        planner.plan()
        steps = planner.steps
        possibleLosses = planner.losses
    }

    /// Whether the models mean the same for the store.
    public var isEmpty: Bool { steps.isEmpty }
}

extension MigrationPlan: CustomStringConvertible {
    /// A line for each step, then one for each possible loss.
    public var description: String {
        if isEmpty { return "nothing to do" }
        return (steps.map(\.description) + possibleLosses.map { "may lose \($0)" })
            .joined(separator: "\n")
    }
}
