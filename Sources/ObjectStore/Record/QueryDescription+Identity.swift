extension QueryDescription {
    /// A question for the object that values identify, in the order of the entity's identity.
    ///
    /// - Throws: `StoreError` where the entity is identified by another number or type of values.
    init(of plan: EntityPlan, id values: [SQLValue]) throws(StoreError) {
        try plan.checkIdentity(values)
        self.init(entity: plan.name)
        for (name, value) in zip(plan.description.identity, values) {
            let isOptional = plan.description.attribute(named: name)?.isOptional ?? false
            let equality = QueryExpression.infix(
                .column(ColumnPath(), name), isOptional ? "IS" : "=", .value(value))
            condition = condition.map { .joined($0, .and, equality) } ?? equality
        }
        maximumCount = 1
    }
}
