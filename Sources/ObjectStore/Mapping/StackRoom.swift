import CLarderSQLite

/// The limit to which the stack of a thread may grow.
///
/// Objects in objects are mapped one inside the other. The stacks of queues have half a megabyte on some
/// systems, which a document can use up that is not deep for a parser.
struct StackRoom {
    /// The bytes that are left for all that an object needs beside the objects in it.
    private static let reserve: UInt = 128 << 10

    /// The stack must not come below this address.
    private let limit: UInt

    /// Takes the stack of the calling thread.
    init() { limit = larder_stack_end() + Self.reserve }

    /// Whether no more may be nested.
    var isUsedUp: Bool { larder_stack_position() < limit }
}
