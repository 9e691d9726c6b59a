/// The number of conditions on linked objects that stand around the one being made.
///
/// It tells apart the columns of conditions on the same relationship that stand inside each other.
enum ColumnLevel {
    @TaskLocal static var current = 0
}
