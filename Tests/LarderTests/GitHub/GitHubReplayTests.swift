import Foundation
import Larder
import LarderTesting
import Testing

/// Recorded responses of GitHub's API, served over loopback and enqueued like any others.
struct GitHubReplayTests {
    private struct Recording: Endpoint {
        let index: Int
        var path: String { "recordings/\(index)" }
    }

    private static let recordings: GitHubRecordings? = {
        let recordings = try? GitHubRecordings()
        if recordings == nil {
            print("SKIPPED: the recorded GitHub exchanges are not at ../shared/data")
        }
        return recordings
    }()

    /// A server that answers with the recordings, and a client for it.
    private func withReplay(
        of recordings: GitHubRecordings, _ body: (Client, Store) async throws -> Void
    ) async throws {
        let server = try await LoopbackServer()
        for (index, exchange) in recordings.exchanges.enumerated() {
            server.route(.get, "/recordings/\(index)") { _ in .json(exchange.body) }
        }
        try await TemporaryStore.with(
            Issue.self, User.self, Label.self, Milestone.self
        ) { store in
            try await body(.patient(baseURL: server.baseURL, store: store), store)
        }
        await server.stop()
    }

    /// Enqueues each recording once the one before is stored, and adds up the reports.
    private func replay(
        _ recordings: GitHubRecordings, through client: Client
    ) async throws -> ImportReport {
        var report = ImportReport()
        for (index, exchange) in recordings.exchanges.enumerated() {
            let endpoint = Recording(index: index)
            if exchange.isList {
                let response: Response<Many<Issue>> = try await client.enqueue(endpoint).value
                report += response.report
            } else {
                let response: Response<Issue> = try await client.enqueue(endpoint).value
                report += response.report
            }
        }
        return report
    }

    @Test(.enabled(if: recordings != nil))
    func `rows and links are what a count of the JSON finds`() async throws {
        let recordings = try #require(Self.recordings)
        #expect(recordings.census.issues.count > 100)
        try await withReplay(of: recordings) { client, store in
            let report = try await replay(recordings, through: client)
            #expect(report["Issue"].inserted == recordings.census.issues.count)
            #expect(report["User"].inserted == recordings.census.users.count)
            #expect(report["Label"].inserted == recordings.census.labels.count)
            #expect(report["Milestone"].inserted == recordings.census.milestones.count)
            #expect(try census(of: store) == recordings.census)
        }
    }

    @Test(.enabled(if: recordings != nil))
    func `the same again changes nothing`() async throws {
        let recordings = try #require(Self.recordings)
        // Some were recorded years apart: once each object stands as it did last, all is settled.
        let settled = recordings.lastOfEachIssue
        try await withReplay(of: settled) { client, store in
            _ = try await replay(settled, through: client)
            let before = try census(of: store)
            let total = try await replay(settled, through: client).total
            #expect(total.inserted == 0)
            #expect(total.linked == 0)
            #expect(total.unlinked == 0)
            #expect(total.unchanged > 0)
            #expect(try census(of: store) == before)
        }
    }

    /// What the store holds, in the terms of the count.
    private func census(of store: Store) throws -> GitHubRecordings.Census {
        var census = GitHubRecordings.Census()
        for issue in try store.fetch(Issue.all) {
            census.issues[issue.id] = [
                "title": issue.title, "body": issue.body ?? "",
                "user": try issue.user.map { String(try $0.fetch().id) } ?? "none",
                "assignee": try issue.assignee.map { String(try $0.fetch().id) } ?? "none",
                "milestone": try issue.milestone.map { String(try $0.fetch().id) } ?? "none",
            ]
            census.labelsOfIssues[issue.id] = try issue.labels.fetch().map(\.id)
        }
        for user in try store.fetch(User.all) { census.users[user.id] = user.login }
        for label in try store.fetch(Label.all) { census.labels[label.id] = label.name }
        for milestone in try store.fetch(Milestone.all) {
            census.milestones[milestone.id] = milestone.title
        }
        return census
    }
}
