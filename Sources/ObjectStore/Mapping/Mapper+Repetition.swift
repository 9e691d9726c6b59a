/// Objects that come again, which need not be mapped or looked for twice.
extension Mapper {
    /// The row of an object that nothing but this one has been written to, in just these words.
    @inline(__always)
    func repeatedRow(of node: Int, as entity: EntityPlan) -> Int64? {
        guard origin == nil else { return nil }
        return memory.row(repeating: tape.containerText(node), of: entity, in: tape)
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

    /// The row of an object that has been written in just these words by this document.
    func writtenRow(of node: Int, in frame: MapperFrame) -> Int64? {
        let entity = frame.entity
        guard origin == nil, entity.family.isAlone, let row = knownRow(of: frame),
            case let text = tape.containerText(node),
            memory.isWritten(row, from: text, of: entity, in: tape)
        else { return nil }
        if entity.isPlain { memory.remember(row, of: entity, saying: text) }
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
                .flatMap { memory.row(of: $0, as: frame.entity) }
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
