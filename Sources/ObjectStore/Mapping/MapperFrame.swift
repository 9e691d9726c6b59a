/// The fields of one object while it is mapped.
struct MapperFrame {
    let entity: EntityPlan
    /// The node of each field's value, or one of `MapperFrames`' marks.
    let values: UnsafeMutablePointer<Int32>
    /// The row that each to-one column leads to, once its object has been mapped.
    let rows: UnsafeMutablePointer<Int64>

    /// Whether the JSON has any of the to-many relationships.
    var hasToMany: Bool {
        for field in entity.columnCount..<entity.fieldCount where values[field] >= 0 {
            return true
        }
        return false
    }

    /// Whether nothing but the object's own row is to be written for it.
    func isFlat(in tape: JSONTape) -> Bool {
        for field in entity.attributeCount..<entity.columnCount
        where values[field] >= 0 && tape.isContainer(Int(values[field])) {
            return false
        }
        return !hasToMany
    }
}
