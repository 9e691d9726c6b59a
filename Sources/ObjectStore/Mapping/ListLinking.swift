/// Links listed objects that can't be without an owner, and name none, to those whose relationships their list is of.
///
/// All others are linked when the list is known.
struct ListLinking {
    private let listing: Listing
    private let mapper: Mapper

    init(of listing: Listing, by mapper: Mapper) {
        (self.listing, self.mapper) = (listing, mapper)
    }

    /// Links an object that has been written, where it is listed as far as lists are known by now.
    func link(
        _ row: Int64, of entity: EntityPlan, _ place: ListedObjects.Place, at node: Int
    ) throws {
        let rows = mapper.rows
        for owner in owners(of: entity) {
            let (destination, column) = (owner.destination, owner.column)
            guard listing.objects.isListed(place, of: destination),
                // What only brings back what is missing links nothing else.
                mapper.restoration?.hasWritten(row, of: destination) != false,
                case let concrete = try rows.entity(of: row, as: entity),
                destination.family.descendants.contains(concrete.index),
                try rows.isEmpty(column, of: row, in: destination),
                let target = try owner.row(),
                // Nor does an object own itself.
                owner.entity.family.members != entity.family.members || target != row,
                try rows.point(column, of: row, in: destination, to: target)
            else { continue }
            try noteLinked(to: target, of: owner)
            try mapper.noteRelinked(row, as: destination, at: node)
            // What names its identity alone waits for the object.
            if mapper.tape.kind(node) == .object { _ = try mapper.completed(row, as: concrete) }
        }
    }

    /// Gives a listed object that nothing identifies its owners, which can't wait for them: what is written without all
    /// that is required would never be found again.
    ///
    /// - Parameter columns: Those that the object names, to which those of its owners are added.
    func giveOwners(to frame: MapperFrame, naming columns: inout ColumnSet, at node: Int) throws {
        let entity = frame.entity
        for owner in owners(of: entity)
        where owner.destination.family.descendants.contains(entity.index) {
            let column = owner.column - owner.destination.attributeCount + entity.attributeCount
            guard !columns.contains(column),
                MapperValues(mapper: mapper, frame: frame, node: node).hasEmptyIdentity,
                let target = try owner.row()
            else { continue }
            try noteLinked(to: target, of: owner)
            frame.give(target, to: column)
            columns.insert(column)
        }
    }

    private func owners(of entity: EntityPlan) -> [Listing.Owner] {
        listing.owners.filter { $0.destination.family.members == entity.family.members }
    }

    private func noteLinked(to target: Int64, of owner: Listing.Owner) throws {
        listing.objects.areLinked = true
        mapper.memory.noteLinks(
            linked: 1, unlinked: 0, of: try mapper.counted(target, as: owner.entity))
    }
}

extension Mapper {
    /// Maps an object that stands for itself, in no array that is mapped as a whole, and returns its row; nil where it
    /// says that it is gone.
    func mapPart(
        _ node: Int, as entity: EntityPlan, _ place: ListedObjects.Place
    ) throws -> Int64? {
        listing?.objects.notePart(of: entity)
        let known = memory.tombstones.count
        let isListed = listing?.objects.isListed(place, of: entity) ?? false
        let row = try map(node, as: entity, in: ObjectRole(isListed: isListed))
        try bury(from: known, at: node)
        if let row, let listing {
            try ListLinking(of: listing, by: self).link(row, of: entity, place, at: node)
            listing.objects.note(row, of: entity, place)
        }
        return row
    }
}
