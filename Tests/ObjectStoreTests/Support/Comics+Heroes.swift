import Foundation
import LarderObjectStore

extension Comics {
    /// A store of heroes.
    static func store(_ heroes: String) throws -> Store {
        let store = try Self.store()
        try store.import(Many<Hero>.self, from: Data(heroes.utf8))
        return store
    }

    /// A store of two heroes, the name of one of which has to be quoted.
    static func pair() throws -> StoreFixture {
        let fixture = try Self.fixture()
        try fixture.insert(
            "Hero",
            #"[{"id": 1, "name": "A'B", "strength": 1.5}, {"id": 2, "name": "C", "active": false}]"#
        )
        return fixture
    }

    /// Heroes each of whom the next one taught.
    static let mentors = """
        [{"id": 1, "name": "A", "publisher": {"id": 10, "name": "P"}, "mentor": 2,
          "powers": [{"id": "x", "name": "X"}, {"id": "y", "name": "Y"}]},
         {"id": 2, "name": "B", "publisher": {"id": 11, "name": "Q"}, "mentor": 3,
          "powers": ["y"]},
         {"id": 3, "name": "C", "publisher": 10, "mentor": 4},
         {"id": 4, "name": "D"},
         {"id": 5, "name": "E", "publisher": 99, "mentor": 98}]
        """

    /// Heroes with what each has and does not have.
    static let team = """
        [{"id": 1, "name": "Ann", "strength": 1, "identity": {"real_name": "it's"},
          "publisher": {"id": 10, "name": "P"}, "powers": [{"id": "x", "name": "X"}]},
         {"id": 2, "name": "bob", "strength": 2.5, "active": false, "mentor": 1,
          "powers": ["x", {"id": "y", "name": "Y"}]},
         {"id": 3, "name": "Cid", "publisher": {"id": 11, "name": "Q"}, "mentor": 2},
         {"id": 4, "name": "Dän", "strength": -1, "identity": {"real_name": ""}}]
        """
}
