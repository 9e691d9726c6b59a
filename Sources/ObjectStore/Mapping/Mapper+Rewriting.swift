import Foundation

extension Mapper {
    /// The origin of a document that a transformer has made of a part of another one.
    struct Origin {
        /// The path of the object as it arrived.
        let path: String
        let transformer: String
    }

    /// Maps an object that its entity's transformer rewrites first.
    func mapRewritten(
        _ node: Int, as entity: EntityPlan, in role: ObjectRole,
        by rewrite: ObjectTransformer.Rewriting
    ) throws -> Int64? {
        let name = entity.description.transformer?.name ?? ""
        let object: JSONObject?
        do {
            object = try rewrite(JSONValue(storage: storage, node: node))
        } catch {
            throw self.error(
                node, entity: entity, field: nil, .transformer(name, message: "\(error)"))
        }
        guard let object else { return try mapAsItIs(node, as: entity, in: role) }
        let rewritten: JSONDocument
        do {
            rewritten = try JSONDocument(
                object.source, depthLimit: max(document.depth, JSONDocument.defaultDepthLimit))
        } catch {
            throw self.error(
                node, entity: entity, field: nil, .transformer(name, message: "\(error)"))
        }
        let mapper = Mapper(
            rewritten.storage, madeFrom: Origin(path: place(of: node), transformer: name), in: self)
        return try mapper.mapAsItIs(0, as: entity, in: role)
    }

    /// The path of a node in the document that arrived.
    func place(of node: Int) -> String {
        let path = storage.path(to: node)
        return origin.map { $0.path + path.dropFirst() } ?? path
    }
}
