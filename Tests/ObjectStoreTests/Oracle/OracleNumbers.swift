@testable import LarderObjectStore

/// Sees to it that a row's number, by which links know an object, never becomes another object's.
struct OracleNumbers {
    private var owners: [OracleContents.Place: Int] = [:]
    private var lost: Set<OracleContents.Place> = []

    /// Takes numbers that were given and taken back.
    mutating func lose(_ places: Set<OracleContents.Place>) {
        lost.formUnion(places.filter { owners[$0] == nil })
    }

    /// The store has been closed: nobody can read it by what was taken back.
    mutating func forgetLost() { lost = [] }

    /// Throws where a number has come to another object.
    mutating func note(_ contents: OracleContents, of store: Store) throws {
        let roots = Set(store.plan.roots.filter(\.hasOwnNumbers).map(\.name))
        for (object, place) in contents.places where roots.contains(place.root) {
            let before = owners.updateValue(object, forKey: place)
            if before.map({ $0 != object }) ?? lost.contains(place) {
                throw OracleDisagreement("row \(place.row) of \(place.root) was another object's")
            }
        }
    }
}
