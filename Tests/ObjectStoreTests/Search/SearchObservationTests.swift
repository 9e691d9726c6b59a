import Testing

@testable import LarderObjectStore

/// Live queries that search.
struct SearchObservationTests {
    private let fixture: StoreFixture
    private var store: Store { fixture.store }

    init() throws { fixture = try Magazine.fixture() }

    private func recorder(_ query: Query<Article>) -> LiveRecorder<[Int]> {
        LiveRecorder(store.observe(query).map { $0.map(\.id) }, of: store)
    }

    @Test func `a live search follows the text`() throws {
        let recorder = recorder(Article.matching("crash").sortedByRelevance())
        #expect(recorder.take() == [[2, 1]])
        try store.insert("Article", #"{"id": 4, "title": "crash crash crash"}"#)
        #expect(recorder.take() == [[4, 2, 1]])
        try store.insert("Article", #"{"id": 2, "text": "fine"}"#)
        #expect(recorder.take() == [[4, 1]])
        try store.write { try $0.delete(Article.where { $0.id == 4 }) }
        #expect(recorder.take() == [[1]])
    }

    @Test func `a live condition on a searchable attribute follows it`() throws {
        let recorder = recorder(Article.where { $0.columnist.name.matches("lee") })
        #expect(recorder.take() == [[1]])
        try store.insert("Article", #"{"id": 3, "columnist": "Ann Lee"}"#)
        #expect(recorder.take() == [[1, 3]])
    }

    @Test func `what is not searched does not bring a new list`() throws {
        let columnists = LiveRecorder(
            store.observe(Columnist.matching("bob")).map { $0.map(\.name) }, of: store
        )
        #expect(columnists.take() == [["Bob"]])
        try store.insert("Article", #"{"id": 3, "title": "crash"}"#)
        #expect(columnists.take() == [])
    }

    @Test func `a closure that searches is told of what it has read only`() throws {
        struct Found: Sendable { let ids: [Int] }
        let recorder = LiveRecorder(
            store.observe { (snapshot: Snapshot) in
                Found(ids: try snapshot.fetch(Article.matching("crash")).map(\.id))
            }.map { Set($0.ids) }, of: store)
        #expect(recorder.take() == [[1, 2]])
        try store.insert("Notice", #"{"id": 9, "body": "crash"}"#)
        #expect(recorder.take() == [])
        try store.insert("Article", #"{"id": 4, "title": "crash"}"#)
        #expect(recorder.take() == [[1, 2, 4]])
    }

    @Test func `a search depends on the searchable columns of its table`() throws {
        let names = TableNames(store.plan)
        let plan = try store.plan.entity("Article")
        let table = names.number(of: plan)
        var compiler = QueryCompiler(entity: plan, in: store.plan)
        let sql = try compiler.select(Article.matching("crash").description, columns: ["id"])
        for _ in 0..<2 {
            let dependencies = try store.withWriter { try $0.dependencies(of: sql, names) }
            for (name, isRead) in [("title", true), ("text", true), ("stars", false)] {
                var changes = Changes()
                let column = try #require(plan.columnNames.firstIndex(of: name))
                changes.noteUpdate(of: 1, in: table, columns: [column])
                #expect(dependencies.areAffected(by: changes) == isRead)
            }
        }
        // The same on a connection that opens the index for the first time.
        let connection = try Connection(
            path: fixture.path, creates: false, readOnly: true, busyTimeout: 5_000)
        let (rows, dependencies) = try connection.recordingReads(names) {
            try connection.allRows(sql, compiler.values)
        }
        #expect(rows.count == 2)
        var changes = Changes()
        let stars = try #require(plan.columnNames.firstIndex(of: "stars"))
        changes.noteUpdate(of: 1, in: table, columns: [stars])
        #expect(!dependencies.areAffected(by: changes))
    }
}
