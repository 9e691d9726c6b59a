import LarderPromises
public import Observation

/// The objects that a query finds, for user interfaces: they change on the main actor whenever
/// the store does, and whoever shows them is told.
///
///     struct IssueList: View {
///         @State private var issues: LiveQuery<Issue>
///         init(store: Store) {
///             _issues = State(initialValue: LiveQuery(Issue.all, in: store))
///         }
///         var body: some View { List(issues.objects, id: \.id) { Text($0.title) } }
///     }
///
/// It observes the store for as long as it is referred to.
@MainActor @Observable
public final class LiveQuery<Object: Entity> {
    /// The objects as they were last read, none before that.
    public private(set) var objects: [Object] = []

    /// Whether the objects have been read.
    public private(set) var isLoaded = false

    /// The error that has ended the observation; the objects stay as they were.
    public private(set) var error: (any Error)?

    /// The query whose objects these are; setting it keeps those of the one before until the new
    /// ones have been read.
    public var query: Query<Object> {
        didSet { begin() }
    }

    @ObservationIgnored private let store: Store
    @ObservationIgnored private var observation: StoreObservation?

    /// Begins to observe a query.
    public init(_ query: Query<Object>, in store: Store) {
        self.query = query
        self.store = store
        begin()
    }

    private func begin() {
        error = nil
        observation = store.observe(query).start { [weak self] error in
            self?.error = error
        } onChange: { [weak self] objects in
            self?.objects = objects
            self?.isLoaded = true
        }
    }
}
