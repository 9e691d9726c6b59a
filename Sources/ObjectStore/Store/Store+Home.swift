extension Store {
    /// Throws where objects of another store are asked for here: their rows are others in this one.
    func check(isHomeOf other: Store, _ entity: String) throws(StoreError) {
        try plan.check(isOf: other, entity)
    }
}

extension StorePlan {
    /// Throws where objects are not of the store that has this plan.
    func check(isOf store: Store, _ entity: String) throws(StoreError) {
        guard store.plan !== self else { return }
        throw StoreError(
            .otherStore,
            "an object of \(entity) was read from another store; One(id:) names the one in this store"
        )
    }
}
