public import Foundation

/// A column of the moment when an object was last fetched, which the columns of an entity have that is marked
/// `@Entity(fetchedAt: true)`.
public typealias FetchedAtColumn = Column<Date?>

extension Column where Value == Date? {
    /// The moment at which the server last told of the objects at a path, be it that nothing has changed.
    ///
    ///     try store.fetch(Issue.where { $0.fetchedAt < yesterday }.sorted { $0.fetchedAt.ascending })
    ///
    /// It is empty in objects that no JSON has brought, such as those that the app has made. The entity must
    /// keep it: by `@Entity(fetchedAt: true)`, or by ``EntityDescription/hasFetchedAt``; else the query is a
    /// `StoreError`.
    public static func fetchedAt(_ path: ColumnPath) -> Column {
        Column(expression: .fetchedAt(path))
    }
}
