/// The kind of value that a node of a JSON tape holds.
///
/// Numbers and strings are split by what reading them costs: a plain number is an integer
/// without fraction or exponent, a plain string has no escapes and is its own bytes.
@usableFromInline
enum JSONNodeKind: UInt8 {
    case null, `false`, `true`, integer, decimal, plainString, escapedString, array, object
}
