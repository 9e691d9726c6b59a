/// A list that has arrived, which may be the whole of something.
package struct ListArrival {
    let completeness: Completeness
    let candidates: VanishingCandidates
    let document: JSONValue
    let isWhole: Bool
    let isCurrent: Bool
    let note: ((ListedObjects) -> Void)?

    /// - Parameters:
    ///   - candidates: What the store had when the list was asked for.
    ///   - document: The document that the list stands in.
    ///   - isWhole: Whether nothing but the document says that there is more.
    ///   - isCurrent: Whether it is of now: what is older shows nothing to have vanished that something identifies.
    ///   - note: Takes what the list names, before the commit.
    package init(
        _ completeness: Completeness, besides candidates: VanishingCandidates,
        in document: JSONValue, isWhole: Bool, isCurrent: Bool = true,
        noting note: ((ListedObjects) -> Void)? = nil
    ) {
        self.completeness = completeness
        self.candidates = candidates
        self.document = document
        self.isWhole = isWhole
        self.isCurrent = isCurrent
        self.note = note
    }
}

extension Context {
    /// Writes the objects of JSON that has arrived, and has go what that shows to have vanished.
    ///
    /// - Parameter isKnown: Whether it has been stored before, so that whatever is there may be newer: objects
    ///   are written that are missing, and nothing else.
    func receive<Value: Importable>(
        _ type: Value.Type, from json: JSONValue, as list: ListArrival?, isKnown: Bool
    ) throws -> Value {
        func write() throws -> Value {
            try imports.parts { try Value.import(from: json, in: self) }
        }
        if isKnown {
            // It shows nothing of what is there now, nor of where that is linked.
            guard let list else { return try imports.restoring(write) }
            return try restore(type, from: json, as: list, write)
        }
        guard let list else { return try write() }
        return try completing(
            list.completeness, of: type, by: list.document, at: json, besides: list.candidates,
            isWhole: list.isWhole, isCurrent: list.isCurrent, noting: list.note, write)
    }

    /// Brings back what is missing of a list that has been stored before, with its links.
    ///
    /// Of what nothing identifies nobody knows what is missing: a list of nothing else is what there is, if there is
    /// any, and what stands elsewhere comes anew, in place of what was there.
    private func restore<Value: Importable>(
        _ type: Value.Type, from json: JSONValue, as list: ListArrival,
        _ write: () throws -> Value
    ) throws -> Value {
        let vanishing = Vanishing(context: self, completeness: list.completeness)
        let isAll = list.isWhole && !list.completeness.saysMore(list.document)
        let restoration = Restoration(json, standing: try vanishing.standing(isWhole: isAll))
        return try madeAgain(type, from: json) { didMake in
            let (value, objects) = try imports.restoring(by: restoration) {
                try listing(list.completeness, json, write)
            }
            didMake()
            if isAll, !restoration.hasStoodIn {
                try vanishing.replaceUnidentified(by: objects, besides: list.candidates)
            }
            try vanishing.link(objects, broughtBackBy: restoration)
            try vanishing.checkOwners(of: objects)
            return value
        }
    }

    /// Has go what a whole list, in one document or several, shows to have vanished, and returns what was
    /// done, and whether all of that is known: not where elements are missing, or the list of a scope.
    package func complete(
        _ completeness: Completeness, by objects: ListedObjects,
        besides candidates: VanishingCandidates
    ) throws -> (report: ImportReport, isKnown: Bool) {
        let (whole, report) = try reporting {
            try savepoint {
                try Vanishing(context: self, completeness: completeness, isNoted: true)
                    .apply(objects, besides: candidates)
            }
        }
        return (report, whole.nonzeroBitCount == min(completeness.scopes.count, 64))
    }
}
