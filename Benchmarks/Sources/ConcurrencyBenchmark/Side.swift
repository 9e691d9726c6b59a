import Foundation

/// A database of issues that several threads read while one writes.
protocol Side: Sendable {
    static var name: String { get }

    /// Makes a database of so many issues in a folder.
    init(folder: URL, count: Int) throws

    /// Reads 50 issues into structs, from an identity on, and gives their number.
    func read(from id: Int) throws -> Int

    /// Changes 200 issues from an identity on, in one transaction.
    func write(from id: Int) throws
}
