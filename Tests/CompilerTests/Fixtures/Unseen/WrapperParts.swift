import Larder

/// Isolated to the main actor.
struct Meta: Decodable { var total: Int }

struct Paged: Wrapper {
    @Stored var items: Many<Book>
    var meta: Meta  // error: main actor-isolated
}
