/// Any number of objects: those of a to-many relationship, or of a list that arrived as JSON.
///
/// For entities it holds which objects these are and reads them when asked, in one query, so that
/// a list of fifty thousand costs fifty thousand numbers. For wrappers it holds the values.
public struct Many<Element: Insertable>: Sendable {
    enum Content: Sendable {
        case rows([Int64], Store)
        case relationship(String, owner: Int64, of: String, Store)
        case values([Element])
    }

    let content: Content
}

extension Many where Element: Entity {
    /// How many objects there are.
    ///
    /// - Throws: `StoreError` where a relationship's store can't be read.
    public var count: Int {
        get throws {
            switch content {
            case .rows(let rows, _): rows.count
            case .relationship(let name, let owner, let entity, let store):
                try store.count(of: name, owner: owner, entity: entity)
            case .values(let values): values.count
            }
        }
    }

    /// Reads the objects from the store as they are now, in order.
    ///
    /// - Throws: `StoreError` where an object has gone, or is known by a reference only.
    public func fetch() throws -> [Element] {
        switch content {
        case .rows(let rows, let store):
            try store.objects(Element.self, rows: rows)
        case .relationship(let name, let owner, let entity, let store):
            try store.objects(Element.self, of: name, owner: owner, entity: entity)
        case .values(let values):
            values
        }
    }
}

extension Many where Element: Wrapper {
    /// The wrappers, in the order of the JSON.
    public var values: [Element] {
        if case .values(let values) = content { values } else { [] }
    }

    /// How many wrappers there are.
    public var count: Int { values.count }
}

extension Many: Insertable {
    /// Writes the elements of an array; null elements are passed over.
    public static func insert(from value: JSONValue, in context: Context) throws -> Many {
        try Element.insertMany(from: value, in: context)
    }
}

extension Many: CustomStringConvertible {
    /// Which objects these are, such as `Many<Label>(labels of Issue 1)` or `Many<Issue>(50 objects)`.
    public var description: String {
        switch content {
        case .rows(let rows, _): "Many<\(Element.self)>(\(rows.count) objects)"
        case .relationship(let name, let owner, let entity, _):
            "Many<\(Element.self)>(\(name) of \(entity) \(owner))"
        case .values(let values): "\(values)"
        }
    }
}
