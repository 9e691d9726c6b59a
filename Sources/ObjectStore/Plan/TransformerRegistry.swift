/// The transformers that a store knows: those of the model's own closures and those registered where
/// it is opened.
struct TransformerRegistry {
    private let transformers: [String: Transformer]
    private let objectTransformers: [String: ObjectTransformer]

    init(_ configuration: Store.Configuration) {
        transformers = Dictionary(
            configuration.transformers.map { ($0.rawValue, $0) }, uniquingKeysWith: { $1 })
        objectTransformers = Dictionary(
            configuration.objectTransformers.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// Throws where the model names a transformer that nobody knows, or one that gives values of
    /// another type than the attribute has.
    func check(_ model: Model) throws(ModelError) {
        let problems = model.entities.flatMap(problems)
        if !problems.isEmpty { throw ModelError(model: model.name, problems: problems) }
    }

    /// Returns the closure that rewrites an entity's objects, nil where it is not known.
    func rewriting(of transformer: ObjectTransformer) -> ObjectTransformer.Rewriting? {
        transformer.rewrite ?? objectTransformers[transformer.name]?.rewrite
    }

    /// Returns the coder of an attribute's values, and a converter where that is not all.
    func coder(of attribute: AttributeDescription) -> (ValueCoder?, ValueConverter?) {
        let transformer = attribute.transformer.map(known)
        let allowed = attribute.allowedValues
        if let transformer, transformer.conversion != nil {
            let plain =
                ValueCoder(
                    attribute.type, attribute.type.defaultTransformer, isSingle: allowed.isSingle)
                ?? .json
            return (
                .special, ValueConverter(plain, transformer: transformer, allowed: allowed)
            )
        }
        guard let coder = ValueCoder(attribute.type, transformer, isSingle: allowed.isSingle) else {
            return (nil, nil)
        }
        if case .all = allowed.kind { return (coder, nil) }
        return (.special, ValueConverter(coder, allowed: allowed))
    }

    /// The transformer with its closures where it has been registered.
    private func known(_ transformer: Transformer) -> Transformer {
        transformer.conversion == nil
            ? transformers[transformer.rawValue] ?? transformer : transformer
    }

    private func problems(of entity: EntityDescription) -> [ModelError.Problem] {
        let path = "entities.\(entity.name)"
        var problems: [ModelError.Problem] = []
        if let transformer = entity.transformer, rewriting(of: transformer) == nil {
            problems.append(
                .init(
                    path: "\(path).transformer",
                    message: "unknown transformer \(transformer.name); register it in"
                        + " Store.Configuration.objectTransformers"))
        }
        for attribute in entity.attributes {
            guard let transformer = attribute.transformer.map(known) else { continue }
            let path = "\(path).attributes.\(attribute.name).transformer"
            if transformer.conversion == nil, !Transformer.builtIn.contains(transformer) {
                let names = Transformer.builtIn.map(\.rawValue).sorted().joined(separator: ", ")
                problems.append(
                    .init(
                        path: path,
                        message: "unknown transformer \(transformer.rawValue); expected one of"
                            + " \(names), or one registered in Store.Configuration.transformers"))
            } else if !transformer.mayGive(attribute.type) {
                problems.append(
                    .init(
                        path: path,
                        message: "\(transformer.rawValue) does not give values of type"
                            + " \(attribute.type.rawValue)"))
            }
        }
        return problems
    }
}
