/// One step of a history.
enum HistoryStep: Sendable, Equatable {
    /// What is asked for.
    enum Target: Sendable, Hashable {
        case one(Int)
        /// All objects, as an array.
        case all
        /// The objects of a folder, as a list.
        case folder(Int)
        /// All objects, in a wrapper.
        case feed
    }

    enum Policy: CaseIterable, Sendable {
        case networkOnly, none, networkFirst, networkFirstWithin, storeFirst, storeOnly, fresh
    }

    /// How the cache of responses is to be used, where there is one.
    enum Asking: Sendable {
        case asEver, reload, cachedOnly
    }

    /// What befalls an exchange.
    enum Fate: Sendable, Hashable {
        case good
        /// It does not come to the server.
        case refused
        /// The server has heard of it, and the answer is lost.
        case lost
        /// The answer is cut off, and its length tells so.
        case truncated
        /// The answer is cut off, and nothing tells so but its JSON.
        case halved
        /// Something on the way answers with a page for people.
        case portal
        case status(Int)
        /// A cache on the way answers, if it can.
        case old
        /// The answer is made when the request comes, or when it is sent, which is later by some steps.
        case held(isMadeAtOnce: Bool)
    }

    /// A change on the server's side, by somebody else.
    enum Edit: Sendable, Hashable {
        case put(Int, folder: Int)
        case title(Int)
        case body(Int)
        case move(Int, folder: Int)
        case delete(Int)
    }

    /// A walk through the pages of the list.
    struct Walk: Sendable, Hashable {
        enum Kind: CaseIterable, Sendable { case pages, pull, checkpoint, token }

        var kind = Kind.pull
        /// Whether the list is said to be the whole of all objects.
        var isWhole = true
        var fates: [Fate] = []
        /// The changes before each page.
        var edits: [[Edit]] = []
        /// The number of pages after which the loop is left.
        var pageLimit: Int?
        var asking = Asking.asEver
        /// Whether nobody is to be asked.
        var isOfStore = false
    }

    /// What is made invalid.
    enum Scope: Sendable, Hashable {
        case target(Target)
        case type
        case tag
    }

    case load(Target, Policy, Asking, isWhole: Bool, Fate)
    case walk(Walk)
    /// The server changes an object by PATCH, or deletes it.
    case patch(Int, Fate)
    case remove(Int, Fate)
    case edit([Edit])
    case network(isUp: Bool)
    /// Answers one of the exchanges that are held.
    case release(Int)
    case cancel(Int)
    case passDeadline
    /// The client's clock jumps, forth or back.
    case jump(Double)
    /// Time passes, for everybody.
    case pass(Double)
    case invalidate(Scope)
    case flush
    /// Lets go what the server had changed before one of its changes.
    case evict(Int)
    case deleteAll
    case logOut
    case reopen
    case expireTokens
    case forgetPlaces
}
