/// The fields of one object while it is mapped.
struct MapperFrame {
    let entity: EntityPlan
    /// The node of each field's value, or one of `MapperFrames`' marks.
    let values: UnsafeMutablePointer<Int32>
    /// The row that each to-one column leads to, once its object has been mapped.
    let rows: UnsafeMutablePointer<Int64>

    /// Whether the JSON has any of the to-many relationships.
    var hasToMany: Bool {
        for field in entity.columns.count..<entity.fieldCount where values[field] >= 0 {
            return true
        }
        return false
    }
}

extension EntityPlan {
    /// The name of the property behind a field.
    func fieldName(_ field: Int) -> String {
        field < columns.count ? columnNames[field] : toMany[field - columns.count].name
    }
}
