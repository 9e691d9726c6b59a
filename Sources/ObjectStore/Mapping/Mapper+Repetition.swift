/// Objects that come again, which need not be mapped or looked for twice.
extension Mapper {
    /// The row of an object that nothing but this one has been written to, in just these words.
    @inline(__always)
    func repeatedRow(of node: Int, as entity: EntityPlan) -> Int64? {
        guard canRecognize, !hasDeleted else { return nil }
        let text = tape.containerText(node)
        guard let object = repeated.object(like: text, of: entity) else { return nil }
        let tally = tallies[entity.index]
        if object.pointee.rewrittenCount != tally.rewrittenCount {
            // Where another object has been written to the row since, that one counts.
            guard isSource(text, of: object.pointee.row, in: tally) else { return nil }
            object.pointee.rewrittenCount = tally.rewrittenCount
        }
        return object.pointee.row
    }

    /// Whether a row was last written from an object in just these words.
    private func isSource(
        _ text: UnsafeBufferPointer<UInt8>, of row: Int64, in tally: MapperTally
    ) -> Bool {
        guard let source = tally.source(of: row) else { return false }
        let other =
            source >= 0
            ? tape.containerText(source) : written.text(MapperTally.text(ofSource: source))
        return other.count == text.count && other.hasSameBytes(as: text)
    }

    /// Whether an object names an identity that can't turn out to be empty, so that another one in
    /// the same words is the same object.
    func isIdentified(_ frame: MapperFrame) -> Bool {
        switch frame.entity.identity {
        case .none: return false
        case .rowid: return true
        case .unique(let columns):
            // Where one part is there, empty ones are looked for as such.
            return columns.contains { column in
                let value = Int(frame.values[column])
                return value >= 0 && tape.kind(value) != .null
                    && frame.entity.alwaysHasValue(column)
            }
        }
    }

    func remember(_ node: Int, as entity: EntityPlan, row: Int64) {
        guard canRecognize else { return }
        repeated.remember(
            tape.containerText(node), of: entity, row: row,
            rewrittenCount: tallies[entity.index].rewrittenCount)
    }

    /// The row of an object that has been written in just these words by this document.
    func writtenRow(of node: Int, in frame: MapperFrame) -> Int64? {
        guard plan.shortcuts.contains(.writtenTexts), !hasDeleted, origin == nil,
            frame.entity.family.isAlone, let row = knownRow(of: frame),
            isSource(tape.containerText(node), of: row, in: tallies[frame.entity.index])
        else { return nil }
        if frame.entity.isPlain { remember(node, as: frame.entity, row: row) }
        return row
    }

    /// The row of an object as far as that is known without asking the store.
    func knownRow(of frame: MapperFrame) -> Int64? {
        switch frame.entity.identity {
        case .rowid(let column):
            let value = Int(frame.values[column])
            return value < 0 ? nil : rowid(value, of: frame.entity, column: column)
        case .unique(let columns) where columns.count == 1:
            return TextKey(frame.values[columns[0]], in: tape)
                .flatMap { tallies[frame.entity.index].row(of: $0) }
        default:
            return nil
        }
    }

    /// The row that a value names which is itself the rowid.
    func rowid(_ value: Int, of entity: EntityPlan, column: Int) -> Int64? {
        let coder = entity.columns[column].coder
        if case .integer? = coder { return tape.integer(value) }
        let sqlValue =
            if let converter = entity.columns[column].converter {
                try? converter.value(of: value, in: storage)
            } else {
                coder?.value(of: value, in: tape)
            }
        guard case .integer(let row)? = sqlValue else { return nil }
        return row
    }
}
