import Foundation

/// The table of behaviours behind PARITY.md.
struct ParityTable {
    /// A line of the table.
    struct Row {
        struct Test: Hashable {
            let file: String
            let function: String
        }

        let number: Int
        let id: String
        let state: String
        let systems: String
        let behaviour: String
        let sources: [String]
        let tests: [Test]
        let remark: String

        /// What is wrong with the line by itself.
        let problems: [String]
    }

    /// Some lines of the table, under one heading.
    struct Area {
        let title: String
        var rows: [Row] = []
    }

    static let path = "Tests/LarderTests/Parity/behaviours.tsv"
    static let states = ["works", "in part", "missing"]

    private(set) var areas: [Area] = []

    /// What is wrong with lines that are no rows.
    private(set) var problems: [String] = []

    var rows: [Row] { areas.flatMap(\.rows) }

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            if line.hasPrefix("# ") {
                areas.append(Area(title: String(line.dropFirst(2))))
            } else if areas.isEmpty {
                problems.append("line \(index + 1): stands in no area")
            } else {
                areas[areas.count - 1].rows.append(Row(line, number: index + 1))
            }
        }
        problems += areas.filter(\.rows.isEmpty).map { "\($0.title): is empty" }
    }
}

extension ParityTable.Row {
    fileprivate init(_ line: Substring, number: Int) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            .map(String.init)
        let column = columns + Array(repeating: "", count: max(0, 7 - columns.count))
        self.number = number
        id = column[0]
        state = column[1]
        systems = column[2]
        behaviour = column[3]
        sources = column[4].split(separator: " ").map(String.init)
        let names = column[5].isEmpty ? [] : column[5].components(separatedBy: " | ")
        tests = names.compactMap { name in
            guard let end = name.firstRange(of: ": ") else { return nil }
            return Test(
                file: String(name[..<end.lowerBound]), function: String(name[end.upperBound...]))
        }
        remark = column[6]

        var problems: [String] = []
        func expect(_ isRight: Bool, _ problem: String) {
            if !isRight { problems.append("line \(number), \(column[0]): \(problem)") }
        }
        expect(columns.count == 7, "has \(columns.count) columns")
        expect(columns.allSatisfy { $0 == $0.trimming }, "has a column with space around it")
        expect(id.wholeMatch(of: /[a-z]+(-[a-z]+)*-([0-9]+|tests)/) != nil, "has no id")
        expect(ParityTable.states.contains(state), "has the state \(state)")
        expect(["", "Linux", "Apple's systems"].contains(systems), "is of \(systems)")
        expect(behaviour.first?.isLetter == true || behaviour.first == "`", "says nothing")
        expect(behaviour.last != ".", "is no sentence, and ends in a full stop")
        expect(tests.count == names.count, "has a test without file or function")
        expect(!"\(behaviour)\(remark)".contains("|"), "would break the page's tables")
        expect(remark.isEmpty || remark.last == ".", "has a remark without a full stop")
        expect(
            (state == "missing") == sources.isEmpty && sources.isEmpty == tests.isEmpty,
            "has sources and tests unless it is missing")
        expect(state == "works" || !remark.isEmpty, "does not say what is missing")
        self.problems = problems
    }
}

extension String {
    fileprivate var trimming: String { trimmingCharacters(in: .whitespaces) }
}
