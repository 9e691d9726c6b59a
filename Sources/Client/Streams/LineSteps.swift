import Foundation
import LarderPromises

/// What is made of each line of a content.
final class LineSteps<Element: Sendable>: StreamSteps {
    private let parts: any StreamSteps<Data>
    private let element: (Data) async throws -> Element?
    private var splitter: LineSplitter
    /// The lines that are there, from `place` on.
    private var lines: [Data] = []
    private var place = 0
    private var isAtEnd = false
    /// What is thrown behind them.
    private var failure: (any Error)?

    /// Creates the steps.
    ///
    /// - Parameter element: Makes a part of a line; nil where it is none.
    init(
        _ parts: any StreamSteps<Data>, maximumSize: Int,
        element: @escaping (Data) async throws -> Element?
    ) {
        self.parts = parts
        self.element = element
        splitter = LineSplitter(maximumSize: maximumSize)
    }

    var lifetime: StreamLifetime { parts.lifetime }

    func open() async throws { try await parts.open() }

    func next() async throws -> Element? {
        while true {
            while place < lines.count {
                place += 1
                if let element = try await element(lines[place - 1]) { return element }
            }
            if let failure { throw failure }
            guard !isAtEnd else { return nil }
            lines.removeAll(keepingCapacity: true)
            place = 0
            try await read()
        }
    }

    private func read() async throws {
        guard let part = try await parts.next() else {
            isAtEnd = true
            return splitter.finish(into: &lines)
        }
        do {
            try splitter.split(part, into: &lines)
        } catch {
            failure = (parts as? PartSteps)?.completed(error) ?? error
        }
    }
}
