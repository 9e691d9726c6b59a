import Testing

@testable import LarderObjectStore

struct ImportReportTests {
    @Test func `adds up`() {
        var report = ImportReport(entities: ["A": .init(1, 2, 3, linked: 4, unlinked: 5)])
        report += ImportReport(entities: ["A": .init(1), "B": .init(0, 0, 7)])
        #expect(report["A"] == .init(2, 2, 3, linked: 4, unlinked: 5))
        #expect(report["B"] == .init(0, 0, 7))
        #expect(report["C"] == .init())
        #expect(report.total == .init(2, 2, 10, linked: 4, unlinked: 5))
        #expect(report["A"].objects == 7)
    }

    @Test func `says what has been done, and nothing of what has not`() {
        var report = ImportReport(entities: [
            "Label": .init(0, 0, 2), "Issue": .init(3, 1, linked: 4, unlinked: 5, deleted: 6),
        ])
        #expect(
            "\(report)"
                == "Issue: 3 inserted, 1 updated, 6 deleted, 4 linked, 5 unlinked; Label: 2 unchanged"
        )
        report.skipped = [.init(path: "$[1].pin", reason: "expected a number, found 1234")]
        #expect("\(report)".hasSuffix("; Label: 2 unchanged; 1 skipped"))
        #expect("\(report["Issue"])".hasPrefix("3 inserted, 1 updated"))
        #expect("\(ImportReport())" == "nothing" && "\(ImportReport.Counts())" == "nothing")
    }

    @Test func `of one transaction has all its documents`() throws {
        let store = try Comics.store()
        let first = try JSONDocument(#"{"id": 1, "name": "A", "powers": [1, 2]}"#)
        let second = try JSONDocument(#"{"id": 1, "name": "B", "powers": [2]}"#)
        let reports = try store.write { context in
            var reports = [context.report]
            for document in [first, second, first] {
                _ = try context.map(document.root, as: "Hero")
                reports.append(context.report)
            }
            return reports
        }
        #expect(reports[0] == ImportReport())
        #expect(reports[1]["Hero"] == .init(1, linked: 2))
        #expect(reports[2]["Hero"] == .init(1, 1, linked: 2, unlinked: 1))
        #expect(reports[3]["Hero"] == .init(1, 2, linked: 3, unlinked: 1))
        #expect(reports[3]["Power"] == .init(2))
    }
}
