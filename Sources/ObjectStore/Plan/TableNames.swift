/// The tables of a store's model by number, as changes and what is read are told by.
///
/// Entities whose objects share a table share its number.
final class TableNames: Sendable {
    /// The kind of rows in a table.
    enum Content: Sendable {
        /// Objects; the columns are told apart where all rows are of one entity.
        case objects(columns: [String]?)
        /// Links, of one relationship or of two that are each other's inverse.
        case links
        /// The moments when the objects of a table were fetched.
        case fetchTimes
    }

    private let contents: [Content]
    /// The first number of tables of when objects were fetched, which come last.
    let firstFetchTimes: Int
    private let numbers: [String: Int]
    private let numbersOfEntities: [Int]
    /// The tables of links that lead to or from each table of objects.
    private let linkTables: [[Int]]
    /// The objects' table and columns that are read where a table of a full-text index is read.
    private let searches: [String: (table: Int, columns: ColumnSet)]

    init(_ plan: StorePlan) {
        var contents: [Content] = []
        var numbers: [String: Int] = [:]
        var numbersOfEntities: [Int] = []
        for entity in plan.entities {
            let name = Self.unquoted(entity.table)
            if let number = numbers[name] {
                // The same column may have another index in each entity of the table.
                contents[number] = .objects(columns: nil)
                numbersOfEntities.append(number)
            } else {
                numbers[name] = contents.count
                numbersOfEntities.append(contents.count)
                contents.append(.objects(columns: entity.columnNames))
            }
        }
        var linkTables: [Set<Int>] = Array(repeating: [], count: contents.count)
        for table in plan.linkTables {
            numbers[table.name] = contents.count
            for end in [table.owner, table.inverse] {
                linkTables[numbersOfEntities[end.entity]].insert(contents.count)
            }
            contents.append(.links)
        }
        firstFetchTimes = contents.count
        for root in plan.fetchedRoots {
            numbers[root.family.fetchTableName] = contents.count
            contents.append(.fetchTimes)
        }
        searches = Dictionary(
            plan.searches.flatMap { search -> [(String, (table: Int, columns: ColumnSet))] in
                let root = plan.entities[search.root]
                var columns = root.family.isAlone ? ColumnSet() : .all
                for (index, name) in root.columnNames.enumerated()
                where search.attributes.contains(name) {
                    columns.insert(index)
                }
                return search.tableNames.map { ($0, (numbersOfEntities[root.index], columns)) }
            }, uniquingKeysWith: { first, _ in first })
        self.linkTables = linkTables.map { $0.sorted() }
        self.contents = contents
        self.numbers = numbers
        self.numbersOfEntities = numbersOfEntities
    }

    /// The number of an entity's table.
    func number(of entity: EntityPlan) -> Int { numbersOfEntities[entity.index] }

    /// The number of a table of links.
    func number(of links: LinkSide) -> Int? { number(named: links.table.name) }

    /// The number of a table by its name, nil where it holds neither objects nor links.
    func number(named name: String) -> Int? { numbers[name] }

    /// The table of objects, and its columns, that a table of a full-text index is made of.
    func searched(by name: String) -> (table: Int, columns: ColumnSet)? { searches[name] }

    /// The tables of links from which rows go with a row of a table of objects.
    func linkTables(of number: Int) -> [Int] { linkTables[number] }

    subscript(number: Int) -> Content { contents[number] }

    /// A name as the model has it, of one that `String.sqlName` has quoted.
    private static func unquoted(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isDoubled = false
        for scalar in name.unicodeScalars.dropFirst().dropLast() {
            isDoubled = scalar == "\"" && !isDoubled
            if !isDoubled { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
