/// All that is wrong with a model.
public struct ModelError: Error, Hashable, Sendable {
    /// One thing that is wrong, and where.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The place in the model, such as `entities.Issue.relationships.user`.
        public let path: String
        /// The mistake there, and what was expected.
        public let message: String

        /// The place and what is wrong there.
        public var description: String { "\(path): \(message)" }
    }

    /// The name of the model, or of its file.
    public let model: String
    /// The problems of form in the order of the file, then those of meaning, entity by entity.
    public let problems: [Problem]
}

extension ModelError: CustomStringConvertible {
    /// A line for each problem.
    public var description: String {
        // One that was given no name has this one.
        "The model\(model == "Model" ? "" : " \(model)") can't be used:"
            + problems.map { "\n  \($0)" }.joined()
    }
}
