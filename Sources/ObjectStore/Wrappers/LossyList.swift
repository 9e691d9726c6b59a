/// A list of which elements that don't fit are left out, and told of, instead of failing the whole.
///
///     let page: LossyList<Issue> = try store.import(from: data)
///     for left in page.skipped { print(left.path, left.reason) }
///
/// Each element is a document of its own: nothing is left of one that is skipped, also not of what is
/// nested in it, and none completes another. What doesn't fit the model (`MappingError`) or a wrapper
/// (`DecodingError`) is skipped, and so is what hands over an object that has not arrived, that says that it is
/// gone (which is not taken note of then), or that fell out of an array of a later element and was deleted; any other error, such as one of the store, fails
/// the list.
public struct LossyList<Element: Importable>: Sendable {
    /// The elements that fit, in order; an object that stands in the list twice is one.
    public let elements: Many<Element>

    /// The elements that were left out, in order; ``ImportReport/skipped`` has them too.
    public let skipped: [ImportReport.Skipped]
}

extension LossyList: Importable {
    /// Writes the elements of an array, each by itself; null elements are passed over.
    ///
    /// - Throws: `DecodingError` where the value is no array, `StoreError` where the store can't be written.
    public static func `import`(from value: JSONValue, in context: Context) throws -> LossyList {
        var reading = LossyReading(context: context)
        if let replay = context.imports.replay {
            return try reading.list(of: value, as: Element.self, by: replay)
        }
        return try context.importingPart {
            let elements: Many<Element> =
                if let entity = Element.self as? any Entity.Type {
                    Many(
                        content: .rows(
                            try reading.rows(of: value, as: entity), context.store,
                            elementCount: (value.count ?? 0) - reading.skipped.count))
                } else {
                    Many(content: .values(try reading.values(of: value)))
                }
            context.imports.skip(reading.skipped)
            return LossyList(elements: elements, skipped: reading.skipped)
        }
    }
}

/// The elements of an array, tried one after the other.
private struct LossyReading {
    let context: Context
    /// The reasons of errors that are about what an element says: an object that has not arrived, or is gone.
    private static let areOfData: [StoreError.Reason] = [.incompleteObject, .missingObject]

    /// The elements that were left out, and where they stand in the array.
    private var leftOut: [(index: Int, element: ImportReport.Skipped)] = []

    init(context: Context) { self.context = context }

    /// The elements that were left out, in order.
    var skipped: [ImportReport.Skipped] { leftOut.map(\.element) }

    /// The list that an array has become before, as its objects are now.
    mutating func list<Element: Importable>(
        of array: JSONValue, as type: Element.Type, by replay: SkeletonReplay
    ) throws -> LossyList<Element> {
        if let object = type as? any Entity.Type {
            let entity = try context.store.plan.entity(object.entityName)
            let rows = try replay.rows(of: array, entity, isLossy: true)
            let skipped = replay.skipped(in: array, of: entity)
            let count = replay.elementCount(of: array, entity) - skipped.count
            return LossyList(
                elements: Many(content: .rows(rows, context.store, elementCount: count)),
                skipped: skipped)
        }
        let skipped = replay.skipped(in: array, of: type)
        var (values, index) = ([Element](), 0)
        try array.forEachElement { element in
            defer { index += 1 }
            guard skipped[index] == nil, !element.isNull else { return }
            values.append(try Element.import(from: element, in: context))
        }
        return LossyList(
            elements: Many(content: .values(values)),
            skipped: skipped.sorted { $0.key < $1.key }.map(\.value))
    }

    /// What is noted of the elements that were left out.
    private var recorded: [ImportSkeleton.Skipped] {
        leftOut.map { ImportSkeleton.Skipped(index: $0.index, element: $0.element) }
    }

    /// The rows of objects, each once, without those that a later element has deleted.
    mutating func rows<Object: Entity>(of array: JSONValue, as type: Object.Type) throws -> [Int64]
    {
        let entity = try context.store.plan.entity(Object.entityName)
        let imports = context.imports
        if array.kind == .array { imports.listing?.objects.noteList(of: entity, isOwn: true) }
        var (list, places) = (RowList(capacity: 0), [Int64: Int]())
        var gone: [(index: Int, isByItself: Bool)] = []
        let path = array.path
        var deleted = imports.deletedCount
        try imports.unrecorded {
            try read(array, as: One<Object>?.self) { one, index in
                defer { deleted = imports.deletedCount }
                if imports.deletedCount > deleted {
                    // As in any list: what comes to the number of a row that is gone is another object.
                    for row in imports.deletedRows(of: entity, since: deleted) {
                        list.remove(row)
                        guard let place = places.removeValue(forKey: row), one != nil else {
                            continue
                        }
                        gone.append((place, false))
                    }
                }
                guard let row = one?.row else { return }
                if imports.deletedCount > deleted {
                    let since = max(imports.topWrittenAt, deleted)
                    if imports.deletedRows(of: entity, since: since).contains(row) {
                        return gone.append((index, true))
                    }
                }
                list.append(row)
                if places[row] == nil { places[row] = index }
            }
        }
        for (index, isByItself) in gone {
            let array = isByItself ? "an array in itself" : "an array of a later element"
            skip("\(path)[\(index)]", at: index, "it fell out of \(array) and was deleted")
        }
        if !gone.isEmpty { leftOut.sort { $0.index < $1.index } }
        try imports.recorder?.note(list.rows, skipping: recorded, at: array, of: entity)
        return list.rows
    }

    mutating func values<Value: Importable>(of array: JSONValue) throws -> [Value] {
        var values: [Value] = []
        try context.imports.placed(as: .wrapped) {
            try read(array, as: Value.self) { value, _ in values.append(value) }
        }
        context.imports.recorder?.note(skipping: recorded, at: array, of: Value.self)
        return values
    }

    private mutating func skip(_ path: String, at index: Int, _ reason: String) {
        leftOut.append((index, ImportReport.Skipped(path: path, reason: reason)))
    }

    private mutating func read<Value: Importable>(
        _ array: JSONValue, as type: Value.Type, _ body: (Value, Int) -> Void
    ) throws {
        guard array.kind == .array else {
            throw DecodingError.typeMismatch(
                [Value].self,
                DecodingError.Context(
                    codingPath: [],
                    debugDescription:
                        "expected an array at \(array.path), found \(array.kind.rawValue)"))
        }
        var next = 0
        try array.forEachElement { element in
            let index = next
            next += 1
            try context.imports.checkCancellation()
            guard !element.isNull else { return }
            do {
                body(
                    try context.importing(element) {
                        try Value.import(from: element, in: context)
                    }, index)
            } catch let error as MappingError {
                skip(error.path, at: index, "\(error)")
            } catch let error as DecodingError {
                skip(element.path, at: index, error.reason)
            } catch let error as StoreError where Self.areOfData.contains(error.reason) {
                skip(element.path, at: index, error.message)
            }
        }
    }
}

extension DecodingError {
    /// What is wrong, without what it is about: that may be long, and secret.
    fileprivate var reason: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context.debugDescription
        @unknown default: "the value can't be decoded"
        }
    }
}
