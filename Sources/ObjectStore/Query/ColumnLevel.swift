/// How many conditions on linked objects stand around the one that is being made.
///
/// It tells apart the columns of conditions on the same relationship that stand inside each other.
enum ColumnLevel {
    @TaskLocal static var current = 0
}
