/// Something that a store would lose by a change of its model.
public struct MigrationLoss: Hashable, Sendable {
    /// The reason for a loss.
    public enum Reason: String, Hashable, Sendable {
        /// The new model does not have it.
        case removed
        /// Values that can't be converted to the new type without a difference.
        case incompatible
        /// Identities that become text as the store spells it, such as a UUID in upper case: what a
        /// server spells otherwise would be other objects.
        case respelled
        /// Objects that have no value where the new model requires one, or that must lead to an
        /// object that goes; they would be hidden, as those that are known by a reference only, until
        /// a value arrives.
        case empty
        /// Objects of an entity that has become abstract; they would be hidden.
        case abstract
        /// Objects that can't be told from new ones any more, as nothing identifies them.
        case identityRemoved
        /// Objects that have no value in the attribute that is to identify them; they would go.
        case unidentified
        /// Objects that are the same under the new identity; the one stored last would stay.
        case duplicate
        /// Links beyond the first, where a relationship now leads to one object.
        case severalLinks
        /// Links to objects of another entity than the relationship now leads to.
        case destination
        /// The order of the links.
        case order
    }

    /// The part that is lost, by its name in the stored model where it is removed, else in the new
    /// one.
    public let part: ModelPart
    /// The reason for the loss.
    public let reason: Reason
    /// The number of objects, values or links that would be lost; nil in a plan, which does not
    /// look at them.
    public internal(set) var count: Int?

    init(_ part: ModelPart, _ reason: Reason, count: Int? = nil) {
        self.part = part
        self.reason = reason
        self.count = count
    }
}

extension MigrationLoss: CustomStringConvertible {
    /// The part, the reason for its loss, and the count.
    public var description: String {
        "\(part): \(explanation)" + (count.map { " (\($0))" } ?? "")
    }

    /// The remedies for the loss, other than to allow it.
    var remedy: String {
        switch reason {
        case .removed: "rename it by renamedFrom, or move it in a step that resolves it"
        case .incompatible: "convert the values in a step that resolves it"
        case .respelled:
            "set it as the server writes it, by map or by SQL at the end of a step that resolves it"
        case .empty:
            if case .relationship = part {
                "make it optional, or set it by SQL at the end of a step that resolves it"
            } else {
                "give it a default, make it optional, or fill it in a step"
            }
        case .abstract:
            "make them objects of a sub-entity by SQL at the end of a step that resolves it"
        case .identityRemoved: "keep the identity, or resolve it in a step, by which they stay"
        case .unidentified:
            "give the new identity a default, or set it by map in a step, which has no references"
        case .duplicate: "merge them in a step that resolves it"
        case .severalLinks, .destination, .order: "choose in a step that resolves it"
        }
    }

    private var explanation: String {
        switch (reason, part) {
        case (.removed, .entity): "the entity is removed with its objects"
        case (.removed, .attribute): "the attribute is removed with its values"
        case (.removed, .relationship): "the relationship is removed with its links"
        case (.incompatible, _): "values that the new type can't hold unchanged"
        case (.respelled, _):
            "identities as text in the store's spelling, such as a UUID in upper case, by which"
                + " what a server spells otherwise is another object"
        case (.empty, _): "objects without what is required now"
        case (.abstract, _): "objects of an entity that has none of its own now"
        case (.identityRemoved, _): "objects that nothing identifies any more"
        case (.unidentified, _): "objects without a value in their new identity"
        case (.duplicate, _): "objects that are the same under the new identity"
        case (.severalLinks, _): "links beyond the first"
        case (.destination, _): "links to objects of another entity"
        case (.order, _): "places in the order of links"
        }
    }
}

/// A migration that is refused because the store would lose something by it.
///
/// The store is as it was. Allow the losses by `MigrationOptions.allowedLosses`, or supply a step.
public struct MigrationError: Error, Hashable, Sendable {
    /// The losses that are neither allowed nor resolved by a step, with counts.
    public let losses: [MigrationLoss]
    /// All that the migration would do.
    public let plan: MigrationPlan
    /// The store's file.
    public let path: String?
}

extension MigrationError: CustomStringConvertible {
    /// A line for each loss.
    public var description: String {
        "The store is not migrated, since it would lose:"
            + losses.map { "\n  \($0); \($0.remedy)" }.joined()
            + "\nWhat may go is named in MigrationOptions.allowedLosses."
            + (path.map { "\n(\($0))" } ?? "")
    }
}
