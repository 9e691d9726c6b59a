import Foundation

/// A live query over many issues, by one library.
protocol Side: AnyObject {
    static var name: String { get }

    /// Fills a database in a folder.
    init(folder: URL, count: Int) throws

    /// Begins to observe all issues and returns the seconds until they were there.
    func observe(newestFirst: Bool) throws -> Double

    /// Ends the observation.
    func cancel()

    /// Changes the title of an issue and returns the seconds until all issues were delivered.
    func update(_ id: Int, title: String) throws -> Double

    /// Inserts an issue and returns the seconds until all issues were delivered.
    func insert(_ id: Int) throws -> Double
}
