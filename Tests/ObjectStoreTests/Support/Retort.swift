import LarderObjectStore

/// A retort whose answers are those of its JSON alone: others are deleted.
@Entity struct Retort {
    @Identity var id: Int
    var text: String?
    @Relationship(policy: .replace) var answers: Many<Retort>
}
