import Foundation
import Testing

/// A Swift file that is type-checked as a user's would be.
///
/// To add a case, add a function to a file in `Fixtures`, or a file:
///
/// - In `Accepted`, whatever is written has to compile, without a warning, within the limits of
///   ``Compiler`` for each expression and function; once more where the module is isolated to the
///   main actor, as that of a new app is.
/// - In `Refused`, a line that holds a mistake ends in `// error: ` and a part of what the compiler
///   has to say, or that stands above it in a line of its own. The compiler has to say it there,
///   once, and nothing else, there or elsewhere. `// warning: ` stands for a warning.
/// - `Isolated` is as `Refused`, in a module that is isolated to the main actor.
/// - In `Unseen` stand mistakes in such a module that the compiler does not see yet.
///
/// All files of a folder are one module, together with `Domain.swift`, whose entities and endpoints
/// they use; the compiler runs once for each folder. Files are read where they stand, so that a run
/// of the tests needs no new build after a change to them.
struct Fixture: CustomTestStringConvertible {
    struct Expectation {
        let kind: Diagnostic.Kind
        let line: Int
        let message: String
    }

    static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let folder = package.appending(path: "Tests/CompilerTests/Fixtures")

    static let domain = folder.appending(path: "Domain.swift")

    let url: URL

    var name: String { url.lastPathComponent }

    var testDescription: String { name }

    /// The files of one folder.
    static func all(in name: String) throws -> [Fixture] {
        try FileManager.default
            .contentsOfDirectory(at: folder.appending(path: name), includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .map(Fixture.init)
            .sorted { $0.name < $1.name }
    }

    /// What its lines say that the compiler has to say.
    func expectations() throws -> [Expectation] {
        var expectations: [Expectation] = []
        var ofNextLine: [(kind: Diagnostic.Kind, message: String)] = []
        for (index, line) in try lines().enumerated() {
            guard let mark = line.firstMatch(of: /\/\/ (error|warning): (.+)$/),
                let kind = Diagnostic.Kind(rawValue: String(mark.1))
            else {
                expectations += ofNextLine.map {
                    Expectation(kind: $0.kind, line: index + 1, message: $0.message)
                }
                ofNextLine = []
                continue
            }
            let message = String(mark.2)
            if line[..<mark.range.lowerBound].allSatisfy(\.isWhitespace) {
                ofNextLine.append((kind, message))
            } else {
                expectations.append(Expectation(kind: kind, line: index + 1, message: message))
            }
        }
        return expectations
    }

    /// The number of lines that call a function.
    func calls(of name: String) throws -> Int {
        try lines().count { Self.isCalled(name, in: $0) }
    }

    /// The number of mistakes in calls of a function: each is counted for the functions that its line
    /// calls, or the nearest line above that calls one of these.
    func mistakes(in name: String, among names: [String]) throws -> Int {
        let lines = try lines()
        return try expectations().count { expectation in
            let line = lines[..<expectation.line].last { line in
                names.contains { Self.isCalled($0, in: line) }
            }
            return line.map { Self.isCalled(name, in: $0) } ?? false
        }
    }

    private static func isCalled(_ name: String, in line: Substring) -> Bool {
        line.contains(".\(name)(") || line.contains(".\(name) {")
    }

    private func lines() throws -> [Substring] {
        try String(contentsOf: url, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }
}
