/// The plan for keeping the links of a to-many relationship.
final class ToManyPlan: Sendable {
    /// The place where the links are kept.
    enum Storage: Sendable {
        /// Rows of a table of their own.
        case table(LinkSide)
        /// The destination's to-one column, which leads back.
        case column(Int)
    }

    let name: String
    /// The index of the destination's plan.
    let destination: Int
    let policy: LinkPolicy
    let storage: Storage
    /// Whether objects that lack what is required are references.
    let isPartial: Bool
    /// Whether the owner itself may stand somewhere inside the destination's objects.
    let leadsBack: Bool

    init(
        name: String, destination: Int, policy: LinkPolicy, storage: Storage,
        isPartial: Bool, leadsBack: Bool
    ) {
        self.name = name
        self.destination = destination
        self.policy = policy
        self.storage = storage
        self.isPartial = isPartial
        self.leadsBack = leadsBack
    }
}
