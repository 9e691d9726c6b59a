/// Between the properties and the store: what reads a row, what hands over its values.
extension EntityExpansion {
    /// By way of the memberwise initializer where there is one: the compiler would build an object
    /// that is set property by property aside, then copy it and count each of its references twice.
    var initializer: String {
        entity.hasMemberwiseInitializer ? memberwise : propertyByProperty
    }

    private var memberwise: String {
        let arguments = placed { property, place in
            switch property.type.kind {
            case .attribute: "\(property.label): try row.attribute(\(place))"
            case .toOne: "\(property.label): try row.one(\(place))"
            case .toMany: "\(property.label): row.many(\(place))"
            }
        }
        if arguments.isEmpty { return initializer("self.init()") }
        return initializer(
            "self.init(\n        \(arguments.joined(separator: ",\n        ")))")
    }

    private var propertyByProperty: String {
        let assignments = placed { property, place in
            switch property.type.kind {
            case .attribute: "self.\(property.code) = try row.attribute(\(place))"
            case .toOne: "self.\(property.code) = try row.one(\(place))"
            case .toMany: "self.\(property.code) = row.many(\(place))"
            }
        }
        return initializer(assignments.joined(separator: "\n    "))
    }

    private func initializer(_ body: String) -> String {
        """
        \(modifiers)init(row: LarderObjectStore.EntityRow) throws {
            \(body)
        }
        """
    }

    var writer: String {
        let calls = placed { property, place in
            switch property.type.kind {
            case .attribute: "try values.attribute(\(place), self.\(property.code))"
            case .toOne: "try values.one(\(place), self.\(property.code))"
            case .toMany: "try values.many(\(place), self.\(property.code))"
            }
        }
        return """
            \(modifiers)func write(to values: inout LarderObjectStore.EntityValues) throws {
                \(calls.joined(separator: "\n    "))
            }
            """
    }

    /// The properties in their order, each with the argument that says where it stands.
    ///
    /// Own attributes and to-one relationships are counted apart, inherited ones together; a
    /// to-many relationship goes by its name.
    private func placed(_ line: (Property, String) -> String) -> [String] {
        var attributes = 0
        var links = 0
        var inherited = 0
        return entity.properties.map { property in
            switch (property.type.kind, property.markers.isInherited) {
            case (.toMany, _):
                return line(property, property.name.swiftLiteral)
            case (_, true):
                defer { inherited += 1 }
                return line(property, "inherited: \(inherited)")
            case (.attribute, false):
                defer { attributes += 1 }
                return line(property, "\(attributes)")
            case (.toOne, false):
                defer { links += 1 }
                return line(property, "\(links)")
            }
        }
    }
}
