/// The table and columns that a to-many relationship's links are read from, however they are kept.
struct LinkQuery {
    /// The table that has a row for each link, quoted.
    let table: String
    /// Its column of this side's rows.
    let source: String
    /// Its column of the other side's rows.
    let target: String
    /// The condition for links of this relationship, to references too, on the alias `l`; nil where
    /// all are.
    let rowScope: String?
    /// The terms that put the links in their order.
    let order: String

    init(_ relationship: ToManyPlan, in plan: StorePlan) {
        switch relationship.storage {
        case .table(let links):
            table = links.name
            source = links.source
            target = links.target
            order = links.order
            rowScope = nil
        case .column(let column):
            let destination = plan.entities[relationship.destination]
            table = destination.table
            source = destination.columnNames[column].sqlName
            target = destination.rowid
            order = destination.rowid
            rowScope = destination.rowScope("l")
        }
    }
}
