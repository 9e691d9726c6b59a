/// The values of an object as it stands in a document.
struct MapperValues: RowValues {
    let mapper: Mapper
    let frame: MapperFrame
    let node: Int

    var entity: EntityPlan { frame.entity }
    var knownRow: Int64? { mapper.knownRow(of: frame) }

    func isEmpty(_ column: Int) -> Bool { mapper.isEmpty(column, of: frame) }

    @inline(__always)
    func bind(_ columns: ColumnSet, to target: ColumnStatement) throws {
        try mapper.bind(columns, of: frame, to: target)
    }

    func error(_ refusal: RowRefusal) -> any Error {
        mapper.error(refusal, of: entity, at: node)
    }
}

/// The values of an object of which there is a bare identity in a document.
struct MapperIdentity: RowValues {
    let mapper: Mapper
    let entity: EntityPlan
    let column: Int
    let node: Int

    var knownRow: Int64? { nil }

    func isEmpty(_ column: Int) -> Bool {
        column != self.column || mapper.isEmpty(node, column: column, of: entity)
    }

    func bind(_ columns: ColumnSet, to target: ColumnStatement) throws {
        try mapper.bind(
            node, column: column, of: entity, to: target.statement,
            at: target.parameter(of: column, at: 0))
    }

    func error(_ refusal: RowRefusal) -> any Error {
        mapper.error(refusal, of: entity, at: node)
    }
}
