@testable import LarderObjectStore

extension Model {
    /// What keeps types from being a model, nothing where they are one.
    static func problems(_ types: any Entity.Type...) -> [String] {
        do {
            _ = try Model(name: "M", entities: types)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }
}
