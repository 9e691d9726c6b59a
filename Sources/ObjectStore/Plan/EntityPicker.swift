/// An entity's mapper at work: the value at a key path names the entity of a new object.
struct EntityPicker: Sendable {
    private let steps: [[UInt8]]
    private let entities: [String: Int]

    init(_ mapper: EntityMapper, _ indices: [String: Int]) {
        steps = mapper.key.split(separator: ".", omittingEmptySubsequences: false)
            .map { [UInt8]($0.utf8) }
        entities = mapper.values.compactMapValues { indices[$0] }
    }

    /// The index of the plan that an object's JSON names, nil where it names none.
    func entity(of object: Int, in tape: JSONTape) -> Int? {
        value(of: object, in: tape).flatMap { entities[$0] }
    }

    /// The value that picks, as text.
    func value(of object: Int, in tape: JSONTape) -> String? {
        var node = object
        for step in steps {
            guard tape.kind(node) == .object,
                let member = step.withUnsafeBufferPointer({ tape.member($0, of: node) })
            else { return nil }
            node = member
        }
        switch tape.kind(node) {
        case .plainString, .escapedString: return tape.string(node)
        case .integer, .decimal, .true, .false:
            return String(decoding: tape.text(node), as: UTF8.self)
        case .null, .array, .object: return nil
        }
    }
}
